/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code select.low}: least outstanding work, in the node's actual time. The work is the
 * coordinator's forecast of the outstanding service time at a node, of the reads already planned
 * for the same request and of the read itself; it is multiplied by the node's ratio of actual to
 * forecast service time, if nodes report it (fact {@code slowness}).
 *
 * <p>{@code score = (outstanding + planned + cost) * slowness}, smallest first. The read's own cost
 * makes an idle slow node lose to an idle fast one. A slow node is tried again as soon as the
 * others hold more work than its slowness outweighs, so that its slowness cannot stay unknown.
 *
 * <p>Source: ours; {@code select.lor} weighted by forecast, so that one large read counts with its
 * cost rather than as one read, and C3's (NSDI'15) idea that a queue counts by its server's speed.
 * A node with a higher hop price counts as if that price were waiting work: reads stay at home
 * until the wait at home exceeds it. Without prices all nodes are equally near; the simulator
 * measures them only where a node is far.
 */
final class LowSelector extends ScoredSelector {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "select.low",
              "least outstanding work: forecast service time of this coordinator's open reads")
          .source("Manx")
          .make(s -> new LowSelector());

  @Override
  void compare(Request request, int from, int to, ClusterView view) {
    NodeTime.note(request, from, to, view);
  }

  @Override
  long score(Request request, int read, int node, ClusterView view) {
    double waiting = (double) view.outstandingWorkNanos(node) + request.costNanos(read);
    long nanos = plus(Math.round(waiting * request.slowness(node)), request.plannedWorkNanos(node));
    return plus(nanos, view.value(FactColumn.HOP_PRICE, node));
  }

  /** A sum of work, saturated, since a node with too much work must not seem to have none. */
  private static long plus(long work, long more) {
    long sum = work + more;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /**
   * While no read waits at any node, the coordinator is the best node regardless of its running
   * reads.
   */
  @Override
  public boolean followsReadsAtHome() {
    return false;
  }

  @Override
  public boolean prefersHome() {
    return true;
  }

  @Override
  public boolean actsWithoutQueue() {
    return false;
  }
}
