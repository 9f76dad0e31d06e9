/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code fanout.rein-sds}: sends each replica the tolerable delay of its opset, the bottleneck
 * minus the opset's cost, so that it serves reads with much slack later.
 *
 * <p>With {@code order.slack-edf} a read should start by its arrival plus its slack; {@code
 * order.lottery} with {@code inside: slack} adds Rein's levels by bottleneck. {@code rank: slack}
 * makes the slack itself the priority, which with {@code order.bottleneck} is the static form that
 * may starve reads with much slack.
 *
 * <p>Source: Rein (EuroSys'17), slack-driven scheduling; its queue's code was not available, so the
 * deadline is our reading. Deviation: costs are forecast service times; without a size oracle all
 * keys cost the same, which equals Rein's count of keys.
 */
final class ReinSds {
  static final PolicyInfo POLICY =
      PolicyInfo.named("fanout.rein-sds", "each opset may be late by the bottleneck minus its cost")
          .source("Rein (EuroSys'17) SDS")
          .settings(
              Setting.word("rank", "value that serves as priority", "bottleneck", "slack"),
              RankedPlanner.LONGEST_FIRST,
              RankedPlanner.CHOOSE)
          .make(
              s ->
                  RankedPlanner.choosing(
                      s.word("rank").equals("slack")
                          ? Ranking.byIncrease(true)
                          : Ranking.BRB_EQUALMAX,
                      s));

  private ReinSds() {}
}
