/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code fanout.brb-unifincr}: a read's priority is the request's bottleneck minus the read's own
 * cost, so that reads with long forecasts go first.
 *
 * <p>Source: BRB section 2.1, UnifIncr. The paper's bottleneck is a sum over a sub-task while the
 * own cost is that of one request, so that even bottleneck reads have slack; {@code per: subtask}
 * subtracts the cost of the read's whole opset instead. Deviation: an opset is the reads sent to
 * one replica, chosen read by read, whereas BRB splits by replica group.
 */
final class BrbUnifIncr {
  static final Setting PER =
      Setting.word("per", "own cost: of the read, or (subtask) of its opset", "request", "subtask");

  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "fanout.brb-unifincr", "priority is the bottleneck minus the read's own cost")
          .source("BRB section 2.1 UnifIncr")
          .settings(PER, RankedPlanner.LONGEST_FIRST, RankedPlanner.CHOOSE)
          .make(s -> RankedPlanner.choosing(Ranking.byIncrease(perSubtask(s)), s));

  private BrbUnifIncr() {}

  static boolean perSubtask(Values settings) {
    return settings.word("per").equals("subtask");
  }
}
