/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.facts.ClusterView;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds nodes that have stopped answering. A node with open reads of this coordinator is silent for
 * the time since its last answer, or since it had no open read. The limit is twice a quantile of
 * the silences that ended with an answer, of all nodes: a stall adds only one silence, however long
 * it is and however many reads wait there, so stalls hardly raise the limit. The latencies of
 * reads, in contrast, contain a stall as often as reads met it.
 *
 * <p>Lock-free but for growth; a few kilobytes, and one number for each node. A race may make a
 * node look less silent than it is, until its next check.
 */
final class Silence {
  private static final long NEVER = Long.MIN_VALUE;
  private static final long ENOUGH = 100;
  private static final long MANY = 10_000;
  private static final double TIMES = 2;

  private final double quantile;
  private final LatencyHistogram silences = new LatencyHistogram();
  private volatile AtomicLong[] since = {};
  private volatile long limit = Long.MAX_VALUE;

  /** Starts without a known limit; the quantile is in (0, 1). */
  Silence(double quantile) {
    this.quantile = quantile;
  }

  /** Records that a read is about to be sent to a node. */
  void sending(int node, ClusterView view, long nowNanos) {
    if (view.outstandingReads(node) == 0) {
      known(node).set(nowNanos);
    }
  }

  /** Records that a node showed a sign of life, now or some time ago. */
  void heard(int node, long signNanos) {
    // A node that always has open reads of this coordinator becomes known by its first sign.
    long before = known(node).getAndAccumulate(signNanos, Math::max);
    if (before != NEVER && signNanos >= before) {
      silences.add(signNanos - before, 1);
    }
  }

  /** How long a node has been silent; 0 if it has no open read, or is unknown. */
  long silentNanos(int node, ClusterView view, long nowNanos) {
    AtomicLong[] known = since;
    long last = node >= known.length ? NEVER : known[node].get();
    long silent = last == NEVER || view.outstandingReads(node) == 0 ? 0 : nowNanos - last;
    // An answer that arrives meanwhile may be later than the caller's time.
    return Math.max(0, silent);
  }

  /** The silence beyond which a node has stalled; no limit before a hundred answers. */
  long limitNanos() {
    return limit;
  }

  /** Computes the limit anew. */
  void tick() {
    long total = silences.total();
    if (total < ENOUGH) {
      return;
    }
    limit = (long) (TIMES * silences.quantile(quantile));
    if (total >= MANY) {
      silences.divide(2);
    }
  }

  private AtomicLong known(int node) {
    AtomicLong[] known = since;
    return (node < known.length ? known : grown(node))[node];
  }

  private synchronized AtomicLong[] grown(int node) {
    AtomicLong[] known = since;
    if (node < known.length) {
      return known;
    }
    // A time stamp that is set at this moment is in both arrays.
    AtomicLong[] more = Arrays.copyOf(known, Math.max(16, 2 * node));
    for (int i = known.length; i < more.length; i++) {
      more[i] = new AtomicLong(NEVER);
    }
    since = more;
    return more;
  }
}
