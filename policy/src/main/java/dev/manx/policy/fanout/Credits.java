/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

/**
 * The credits of one coordinator: its side of the exchange with the {@link CreditController}. The
 * environment carries the messages, once per {@link #intervalNanos}.
 */
public interface Credits {
  /** What is granted at a node that this coordinator may send any work to. */
  double UNBOUNDED = Double.POSITIVE_INFINITY;

  /** How often demand is reported and credit granted. */
  long intervalNanos();

  /**
   * Writes down the forecast work this coordinator wanted each node to do since the last call, in
   * nanoseconds by node, and forgets it.
   */
  void takeDemand(long[] into);

  /**
   * New credits have come.
   *
   * @param nanosPerSecond work per second that each node grants to this coordinator, or {@link
   *     #UNBOUNDED}
   */
  void grant(double[] nanosPerSecond, long nowNanos);

  /**
   * No credits have come for too long: until the next ones every node is open, and those that come
   * begin with full buckets.
   */
  void suspend();

  /** A controller with this policy's settings, one for the cluster. */
  CreditController newController(int clients, int nodes);

  /** A meter with this policy's settings, one for each node as a replica. */
  CongestionMeter newMeter();
}
