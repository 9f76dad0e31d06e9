/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import dev.manx.policy.fanout.CongestionMeter;

/**
 * Uses the policy's {@link CongestionMeter} to detect that more work arrives at this node than it
 * can do. Reads that need not wait are not seen one by one, so arrivals are estimated from tick to
 * tick: the ended reads times the usual service time, plus the growth of the queue. Sequential.
 */
final class ArrivalMeter {
  private final CongestionMeter meter;
  private long completed;
  private long aheadNanos;

  /** Begins with the present counts. */
  ArrivalMeter(CongestionMeter meter, long completedReads, long workAheadNanos) {
    this.meter = meter;
    completed = completedReads;
    aheadNanos = workAheadNanos;
  }

  /**
   * Updates the estimate.
   *
   * @return whether the node is congested, at most once an interval
   */
  boolean look(long completedReads, long serviceNanos, long workAheadNanos, long nowNanos) {
    long arrived =
        Math.max(0, completedReads - completed) * serviceNanos + workAheadNanos - aheadNanos;
    completed = completedReads;
    aheadNanos = workAheadNanos;
    return meter.arrived(Math.max(0, arrived), nowNanos);
  }
}
