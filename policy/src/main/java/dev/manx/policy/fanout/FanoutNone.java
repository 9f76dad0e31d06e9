/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.spi.PolicyInfo;

/** {@code fanout.none}: every read is ranked separately and carries no tag. */
final class FanoutNone {
  static final PolicyInfo POLICY =
      PolicyInfo.named("fanout.none", "each read of a request separately, no tags")
          .source("baseline")
          .settings(RankedPlanner.LONGEST_FIRST)
          .make(s -> new RankedPlanner(Ranking.NONE, RankedPlanner.longestFirst(s)));

  private FanoutNone() {}
}
