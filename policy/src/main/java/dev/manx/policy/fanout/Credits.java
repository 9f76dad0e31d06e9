/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

/**
 * The credits of one coordinator: its side of the exchange with the {@link CreditController}. The
 * environment sends the messages, once per {@link #intervalNanos}.
 */
public interface Credits {
  /** The grant at a node to which this coordinator may send unlimited work. */
  double UNBOUNDED = Double.POSITIVE_INFINITY;

  /** The time between two reports of demand and between two grants. */
  long intervalNanos();

  /**
   * Writes this coordinator's demand at each node since the last call, in nanoseconds of forecast
   * work, and resets it.
   */
  void takeDemand(long[] into);

  /**
   * Applies new credits.
   *
   * @param nanosPerSecond this coordinator's grant at each node, in work per second, or {@link
   *     #UNBOUNDED}
   */
  void grant(double[] nanosPerSecond, long nowNanos);

  /**
   * Suspends the credits because none came for too long: every node is open until the next grant,
   * which begins with full buckets.
   */
  void suspend();

  /** Creates a controller with this policy's settings, one per cluster. */
  CreditController newController(int clients, int nodes);

  /** Creates a meter with this policy's settings, one per node as a replica. */
  CongestionMeter newMeter();
}
