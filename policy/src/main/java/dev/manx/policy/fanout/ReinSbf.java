/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code fanout.rein-sbf}: every read of a request gets the request's largest opset, counted in
 * keys, as its priority.
 *
 * <p>Source: Rein (EuroSys'17), shortest bottleneck first. Deviations: the coordinator plans, and
 * replicas are ranked by the strategy's selector before keys are counted, read by read; {@code
 * choose: opset} sends all reads with the same replicas to one of them.
 */
final class ReinSbf {
  static final PolicyInfo POLICY =
      PolicyInfo.named("fanout.rein-sbf", "priority is the largest opset of the request in keys")
          .source("Rein (EuroSys'17) SBF")
          .settings(RankedPlanner.LONGEST_FIRST, RankedPlanner.CHOOSE)
          .make(s -> RankedPlanner.choosing(Ranking.REIN_SBF, s));

  private ReinSbf() {}
}
