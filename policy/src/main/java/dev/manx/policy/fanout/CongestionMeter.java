/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

/**
 * Tells a replica when more work arrives in an interval than it can do: the congestion signal of
 * the credits. Sequential.
 */
public final class CongestionMeter {
  private final long intervalNanos;
  private final double capacityNanos;
  private long startedNanos = Long.MIN_VALUE;
  private double arrivedNanos;

  /**
   * A meter that saw nothing yet.
   *
   * @param capacityNanosPerSecond work that the node can do in a second
   */
  public CongestionMeter(long intervalNanos, double capacityNanosPerSecond) {
    this.intervalNanos = intervalNanos;
    this.capacityNanos = capacityNanosPerSecond * intervalNanos / 1e9;
  }

  /**
   * A read arrived.
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
