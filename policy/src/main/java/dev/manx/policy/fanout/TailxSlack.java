/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code fanout.tailx-slack}: the reads carry TailX's slack, and for that time {@code
 * order.slack-edf} at the replica serves other reads first.
 *
 * <p>Source: TailX (DAIS'20) sections 1 and 2, where replicas reorder by each opset's tolerable
 * delay; its algorithms hold reads at the coordinator instead ({@code fanout.tailx-hold}). Costs
 * are the counts of small and large keys times their service times. Deviation: {@code phi} below 1
 * allows only a part of the slack. Work-conserving.
 */
final class TailxSlack {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "fanout.tailx-slack",
              "the slack travels to the replica, which may serve other reads meanwhile")
          .source("TailX (DAIS'20) sections 1 and 2")
          .settings(
              Setting.share("phi", 1, 0, 1, "part of the slack that is allowed"),
              RankedPlanner.LONGEST_FIRST,
              RankedPlanner.CHOOSE)
          .make(s -> RankedPlanner.choosing(ranking(s.real("phi")), s));

  private TailxSlack() {}

  private static Ranking ranking(double phi) {
    Ranking whole = Ranking.BRB_EQUALMAX;
    return phi == 1
        ? whole
        : new Ranking(
            whole.unit(),
            true,
            (request, bottleneck) -> {
              whole.priorities().assign(request, bottleneck);
              for (int read = 0, n = request.reads(); read < n; read++) {
                request.prioritise(read, bottleneck, Math.round(phi * request.slack(read)));
              }
            });
  }
}
