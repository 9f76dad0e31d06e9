/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.facts.HopMeter;

/**
 * Which nodes a coordinator need not ask for a key that it holds itself, while no read waits
 * anywhere: those that are at least {@value #SHORT} times as far away as a read takes here. Asking
 * then ends no earlier even if the other node needs no time at all.
 *
 * <p>The factor has two more reasons. A message costs its sender about half of a hop in CPU, so
 * that reading costs no more than asking, and the many keys of a multiget are read one after
 * another about as soon as they could be asked for. For longer reads it matters more which replica
 * has the data in its page cache, and that several replicas read at once; they are left to the
 * snitch, as are all reads of a node whose disk makes them long.
 *
 * <p>Source: ours. C3 and the dynamic snitch compare latencies instead, of which a few outliers on
 * an idle node are enough to send reads away.
 *
 * <p>Threads: a timer ticks, any thread asks.
 */
public final class HomeFirst {
  /** A read is short if a hop takes at least this many times as long. */
  public static final int SHORT = 2;

  // A second or so between two ticks; a single long read must not count for many short ones.
  private static final double WEIGHT = 1.0 / 8;

  private final boolean[] none;
  private double service;
  private volatile boolean[] better;

  /** Prefers home to none of the nodes 0 to {@code capacity - 1} yet. */
  public HomeFirst(int capacity) {
    none = new boolean[capacity];
    better = none;
  }

  /**
   * Compares home with every node; the timer calls it about once a second.
   *
   * @param hops how much longer a read at each node takes than one here, nothing queued
   * @param serviceNanos the present service time of a read at home; 0 if unknown
   * @param extras what each node costs beyond the hop, nanoseconds: another rack, a severity that
   *     an operator set; as many as ids are in use
   * @param self this node's id
   */
  public void tick(HopMeter hops, long serviceNanos, double[] extras, int self) {
    if (serviceNanos <= 0 || self >= extras.length) {
      better = none;
      return;
    }
    service = service == 0 ? serviceNanos : service + WEIGHT * (serviceNanos - service);
    boolean[] next = new boolean[none.length];
    for (int node = 0; node < Math.min(extras.length, next.length); node++) {
      long hop = hops.hopNanos(node, self, extras.length);
      double price = hop + extras[node] - extras[self];
      next[node] = node != self && service * SHORT <= hop && service <= price;
    }
    better = next;
  }

  /** Prefers home to none any more. */
  public void clear() {
    better = none;
  }

  /** Whether a read that a node and home could serve is to stay at home. */
  public boolean isBetterThan(int node) {
    boolean[] now = better;
    return node >= 0 && node < now.length && now[node];
  }
}
