/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import java.util.Arrays;

/**
 * Time between two ends of reads at a node, from the counts of ended reads in two of its answers.
 * Not a service time, though Hector's C3 uses it as one: it makes an idle node look slow and a node
 * with many cores fast. The time is measured on this coordinator's clock (Hector sends the
 * replica's along). Threads: any; each call locks.
 */
final class CompletionTimes {
  private static final long NONE = -1;

  private long[] counts = new long[0];
  private long[] nanos = new long[0];

  /**
   * The mean time between ends since the node's last answer with a new count; -1 if there is no
   * such answer yet, no read has ended since, or the node has restarted.
   */
  synchronized long between(int node, long count, long nowNanos) {
    if (node >= counts.length) {
      int known = counts.length;
      counts = Arrays.copyOf(counts, Math.max(node + 1, known * 2));
      nanos = Arrays.copyOf(nanos, counts.length);
      Arrays.fill(counts, known, counts.length, NONE);
    }
    long before = counts[node];
    if (count == before) {
      return NONE;
    }
    long since = nowNanos - nanos[node];
    counts[node] = count;
    nanos[node] = nowNanos;
    return before == NONE || count < before ? NONE : since / (count - before);
  }

  synchronized void forget(int node) {
    if (node < counts.length) {
      counts[node] = NONE;
    }
  }
}
