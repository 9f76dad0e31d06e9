/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

/**
 * Detects that more work arrives at a replica in an interval than it can do: the congestion signal
 * of the credits. Sequential.
 */
public final class CongestionMeter {
  private final long intervalNanos;
  private final double capacityNanos;
  private long startedNanos = Long.MIN_VALUE;
  private double arrivedNanos;

  /**
   * Creates a meter without arrivals.
   *
   * @param capacityNanosPerSecond work that the node can do per second
   */
  public CongestionMeter(long intervalNanos, double capacityNanosPerSecond) {
    this.intervalNanos = intervalNanos;
    this.capacityNanos = capacityNanosPerSecond * intervalNanos / 1e9;
  }

  /**
   * Records the arrival of a read.
   *
   * @return whether to signal congestion now; at most once an interval
   */
  public boolean arrived(long costNanos, long nowNanos) {
    if (startedNanos == Long.MIN_VALUE || nowNanos - startedNanos >= intervalNanos) {
      startedNanos = nowNanos;
      arrivedNanos = 0;
    }
    boolean before = arrivedNanos <= capacityNanos;
    arrivedNanos += costNanos;
    return before && arrivedNanos > capacityNanos;
  }
}
