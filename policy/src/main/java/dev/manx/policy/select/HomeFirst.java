/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.facts.HopMeter;

/**
 * Finds the nodes to which a coordinator need not send a read of a key that it holds itself, while
 * no read waits anywhere: those whose hop takes at least {@value #SHORT} times as long as a read at
 * home. A remote read then ends no earlier even if the other node needs no time at all.
 *
 * <p>A request's reads at home are served one after another, by its own thread, before the next key
 * is sent. So a request keeps only as many reads from a node as fit into its hop: they delay the
 * other keys by no more than the longest hop. This does not limit a multiget that is read key by
 * key, whose next key is sent only after an answer. For longer reads it matters more which replica
 * has the data in its page cache, and that several replicas read in parallel; the snitch decides
 * about them, and about all reads of a node with a slow disk.
 *
 * <p>Source: ours. C3 and the dynamic snitch compare latencies instead, so that a few outliers on
 * an idle node are enough to send reads to other nodes.
 *
 * <p>Threads: a timer ticks, any thread queries.
 */
public final class HomeFirst {
  /** A read is short if a hop takes at least this many times as long. */
  public static final int SHORT = 2;

  // Ticks are about a second apart; a single long read must not outweigh many short ones.
  private static final double WEIGHT = 1.0 / 8;

  private final int[] none;
  private double service;
  private volatile int[] reads;

  /** Starts without a preference for home over nodes 0 to {@code capacity - 1}. */
  public HomeFirst(int capacity) {
    none = new int[capacity];
    reads = none;
  }

  /**
   * Compares home with every node; the timer calls it about once a second.
   *
   * @param hops how much longer a read at each node takes than a read here, without queueing
   * @param serviceNanos the present service time of a read at home; 0 if unknown
   * @param extras the price of each node beyond the hop, in nanoseconds: another rack, a severity
   *     set by an operator; one for each id in use
   * @param self this node's id
   */
  public void tick(HopMeter hops, long serviceNanos, double[] extras, int self) {
    if (serviceNanos <= 0 || self >= extras.length) {
      reads = none;
      return;
    }
    service = service == 0 ? serviceNanos : service + WEIGHT * (serviceNanos - service);
    int[] next = new int[none.length];
    for (int node = 0; node < Math.min(extras.length, next.length); node++) {
      long hop = hops.hopNanos(node, self, extras.length);
      double price = hop + extras[node] - extras[self];
      if (node != self && service * SHORT <= hop && service <= price) {
        next[node] = (int) Math.min(Integer.MAX_VALUE, hop / service);
      }
    }
    reads = next;
  }

  /** Clears every preference for home. */
  public void clear() {
    reads = none;
  }

  /** Whether a read that both a node and home could serve should stay at home. */
  public boolean isBetterThan(int node) {
    return readsKept(node) > 0;
  }

  /**
   * Number of reads of one request, all nodes together, up to which a read that both a node and
   * home could serve should stay at home: as many as home serves one after another during a hop to
   * the node.
   */
  public int readsKept(int node) {
    int[] now = reads;
    return node >= 0 && node < now.length ? now[node] : 0;
  }
}
