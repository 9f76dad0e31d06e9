/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import dev.manx.policy.fanout.CongestionMeter;
import java.util.concurrent.TimeUnit;

/**
 * Uses the policy's {@link CongestionMeter} to detect that more work arrives at this node than it
 * can do. Reads that need not wait are not observed one by one, so the work that arrived is
 * estimated at each tick: the ended reads times the usual service time, plus the growth of the
 * queue. Each estimate covers a whole tick, so an interval consists of whole ticks: in a shorter
 * interval, one estimate would exceed the node's capacity. Sequential.
 */
final class ArrivalMeter {
  /** Least time between two ticks. */
  static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final CongestionMeter meter;
  private long completed;
  private long aheadNanos;

  /**
   * Begins with the present counts.
   *
   * @param capacityNanosPerSecond work that the node can do per second
   */
  ArrivalMeter(
      long intervalNanos, long capacityNanosPerSecond, long completedReads, long workAheadNanos) {
    long ticks = (intervalNanos + TICK_NANOS - 1) / TICK_NANOS;
    meter = new CongestionMeter(ticks * TICK_NANOS, capacityNanosPerSecond);
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
    // Reads that are just arriving count as ended for a moment, and must not count again later.
    completed = Math.max(completed, completedReads);
    aheadNanos = workAheadNanos;
    return meter.arrived(Math.max(0, arrived), nowNanos);
  }
}
