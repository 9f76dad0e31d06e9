/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.bound;

import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.fanout.RankedPlanner;
import dev.manx.policy.fanout.Ranking;
import dev.manx.policy.hold.RoutedOp;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code bound.ideal-equalmax}, {@code bound.ideal-unifincr}, {@code bound.ideal-equalmax-lpt}: all
 * clients share one queue, and an idle core pulls the best read that its node may serve.
 *
 * <p>Source: BRB section 2.2, the "model". An opset here is what BRB calls a sub-task, the reads of
 * one replica group, since no replica is chosen before a core pulls: the reads with the same first
 * replica in stock order. Not optimal: greedy and non-preemptive, so a policy may beat it slightly.
 */
final class IdealBound implements Bound {
  static final PolicyInfo EQUALMAX =
      bound(
          "bound.ideal-equalmax",
          "one global queue by bottleneck, from which idle cores take reads",
          Ranking.BRB_EQUALMAX,
          false);
  static final PolicyInfo UNIFINCR =
      bound(
          "bound.ideal-unifincr",
          "one global queue by bottleneck minus own cost, from which idle cores take reads",
          Ranking.byIncrease(false),
          false);
  static final PolicyInfo EQUALMAX_LPT =
      bound(
          "bound.ideal-equalmax-lpt",
          "as ideal-equalmax, the reads of one request costliest first",
          Ranking.BRB_EQUALMAX,
          true);

  private final FanoutPlanner planner;
  private final boolean longestFirst;

  /**
   * Creates a bound without state.
   *
   * @param planner sets the priorities
   * @param longestFirst whether the reads of one request are served costliest first
   */
  IdealBound(FanoutPlanner planner, boolean longestFirst) {
    this.planner = planner;
    this.longestFirst = longestFirst;
  }

  @Override
  public FanoutPlanner planner() {
    return planner;
  }

  @Override
  public <T extends RoutedOp> GlobalOrder<T> newOrder() {
    return new IdealOrder<>(longestFirst);
  }

  private static PolicyInfo bound(
      String name, String summary, Ranking ranking, boolean longestFirst) {
    return PolicyInfo.named(name, summary)
        .source("BRB section 2.2, the model")
        .needs(Ability.GLOBAL_STATE)
        .make(s -> new IdealBound(new RankedPlanner(ranking, longestFirst), longestFirst));
  }
}
