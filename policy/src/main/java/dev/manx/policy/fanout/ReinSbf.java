/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code fanout.rein-sbf}: every read of a request gets the request's largest opset, counted in
 * keys, as its priority.
 *
 * <p>Source: Rein (EuroSys'17), shortest bottleneck first. Deviations: the coordinator plans, and
 * replicas are ranked by the strategy's selector before keys are counted.
 */
final class ReinSbf {
  static final PolicyInfo POLICY =
      PolicyInfo.named("fanout.rein-sbf", "priority is the largest opset of the request in keys")
          .source("Rein (EuroSys'17) SBF")
          .settings(RankedPlanner.LONGEST_FIRST)
          .make(s -> new RankedPlanner(Ranking.REIN_SBF, RankedPlanner.longestFirst(s)));

  private ReinSbf() {}
}
