/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code fanout.tailx-hold}: the coordinator holds every opset except the bottleneck back for its
 * slack times {@code phi}, so that no opset ends earlier than necessary.
 *
 * <p>Source: TailX (DAIS'20) section 3, algorithms 1 and 2; costs are the counts of small and large
 * keys times their service times, from {@code oracle.size-bloom} and the forecast. The paper's
 * queues are first-in first-out and dynamic snitching chooses its replicas. Deviations: {@code phi}
 * below 1 holds for only a part of the slack, and {@code rank} adds priorities. Not
 * work-conserving: an opset waits even if its node is idle.
 */
final class TailxHoldPlanner implements FanoutPlanner {
  static final PolicyInfo POLICY =
      PolicyInfo.named("fanout.tailx-hold", "the coordinator holds every opset back for its slack")
          .source("TailX (DAIS'20) section 3")
          .settings(
              Setting.share("phi", 1, 0, 1, "part of the slack for which an opset is held"),
              Ranking.RANK,
              RankedPlanner.LONGEST_FIRST,
              RankedPlanner.CHOOSE)
          .needs(Ability.HOLD)
          .make(
              s ->
                  new TailxHoldPlanner(
                      s.real("phi"), RankedPlanner.choosing(Ranking.of(s.word("rank")), s)));

  private final double phi;
  private final RankedPlanner ranked;

  /**
   * Creates a planner without state.
   *
   * @param phi part of the slack to hold for, in [0, 1]; 1 in the paper
   * @param ranked ranks the reads
   */
  TailxHoldPlanner(double phi, RankedPlanner ranked) {
    this.phi = phi;
    this.ranked = ranked;
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    ranked.plan(request, selector, view);
    long most = Plans.bottleneckNanos(request);
    for (int read = 0, n = request.reads(); read < n; read++) {
      if (request.replicaCount(read) > 0) {
        request.delaySend(read, Math.round(phi * (most - Plans.opsetNanos(request, read))));
      }
    }
  }

  @Override
  public Request.Unit unit() {
    return ranked.unit();
  }
}
