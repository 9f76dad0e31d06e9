/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import dev.manx.policy.fanout.CongestionMeter;

/**
 * Asks the policy's {@link CongestionMeter} whether more work arrives at this node than it can do.
 * Reads that need not wait are not looked at one by one, so what arrived is reckoned from tick to
 * tick: the reads that ended, in the usual time of a read, and what the queue grew by. Sequential.
 */
final class ArrivalMeter {
  private final CongestionMeter meter;
  private long completed;
  private long aheadNanos;

  /** Begins with the counts of now. */
  ArrivalMeter(CongestionMeter meter, long completedReads, long workAheadNanos) {
    this.meter = meter;
    completed = completedReads;
    aheadNanos = workAheadNanos;
  }

  /**
   * Looks again.
   *
   * @return whether it was found congested, at most once an interval
   */
  boolean look(long completedReads, long serviceNanos, long workAheadNanos, long nowNanos) {
    long arrived =
        Math.max(0, completedReads - completed) * serviceNanos + workAheadNanos - aheadNanos;
    completed = completedReads;
    aheadNanos = workAheadNanos;
    return meter.arrived(Math.max(0, arrived), nowNanos);
  }
}
