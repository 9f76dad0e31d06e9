/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request.Unit;
import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code fanout.brb-equalmax}: every read of a request gets the request's bottleneck, the cost of
 * its costliest opset, as its priority.
 *
 * <p>Source: BRB section 2.1, EqualMax. Deviations: an opset is the reads sent to one replica,
 * chosen read by read, whereas BRB splits by replica group; the coordinator plans, not the client;
 * the cost is a forecast of service time unless {@code cost} is keys or bytes.
 */
final class BrbEqualMax {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "fanout.brb-equalmax",
              "priority is the forecast cost of the costliest opset of the request")
          .source("BRB section 2.1 EqualMax")
          .settings(
              Setting.word(
                  "cost", "unit of costs; bytes needs a size oracle", "forecast", "keys", "bytes"),
              RankedPlanner.LONGEST_FIRST,
              RankedPlanner.CHOOSE)
          .make(s -> RankedPlanner.choosing(Ranking.byBottleneck(unit(s.word("cost"))), s));

  private BrbEqualMax() {}

  private static Unit unit(String cost) {
    return switch (cost) {
      case "keys" -> Unit.KEYS;
      case "bytes" -> Unit.BYTES;
      default -> Unit.NANOS;
    };
  }
}
