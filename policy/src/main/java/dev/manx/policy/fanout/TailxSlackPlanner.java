/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/**
 * {@code fanout.tailx-slack}: TailX's slack travels with the reads, and {@code order.slack-edf} at
 * the replica serves others before them for so long.
 *
 * <p>Source: TailX (DAIS'20) sections 1 and 2, where replicas reorder by what each opset may be
 * late; its algorithms hold at the coordinator instead ({@code fanout.tailx-hold}). Costs are the
 * counts of small and large keys times their service times. Deviation: {@code phi} below 1 allows
 * only a part of the slack. Work-conserving.
 */
public final class TailxSlackPlanner implements FanoutPlanner {
  private final double phi;
  private final boolean longestFirst;

  /**
   * A planner without memory.
   *
   * @param phi part of the slack to allow, in [0, 1]
   * @param longestFirst whether the costliest read is ranked, sent and served first
   */
  public TailxSlackPlanner(double phi, boolean longestFirst) {
    this.phi = phi;
    this.longestFirst = longestFirst;
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    Plans.arrange(request, longestFirst);
    Plans.rankAndAssign(request, selector, view);
    long bottleneck = Plans.bottleneck(request, unit());
    Plans.prioritiseByBottleneck(request, unit(), bottleneck);
    if (phi < 1) {
      for (int read = 0, n = request.reads(); read < n; read++) {
        request.prioritise(read, bottleneck, Math.round(phi * request.slack(read)));
      }
    }
    request.finish(true, unit(), bottleneck);
  }

  @Override
  public Request.Unit unit() {
    return Request.Unit.NANOS;
  }

  @Override
  public boolean actsWithoutQueue() {
    return false;
  }
}
