/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.bound;

import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.hold.RoutedOp;

/**
 * {@code bound.ideal-equalmax}, {@code bound.ideal-unifincr}, {@code bound.ideal-equalmax-lpt}: all
 * clients share one queue, and an idle core pulls the best read that its node may serve.
 *
 * <p>Source: BRB section 2.2, the "model". An opset here is what BRB calls a sub-task, the reads of
 * one replica group, since no replica is chosen before a core pulls: it is taken as the reads with
 * the same first replica in stock order. Not optimal: it is greedy and non-preemptive, so that a
 * policy may beat it by a little.
 */
public final class IdealBound implements Bound {
  private final FanoutPlanner planner;
  private final boolean longestFirst;

  /**
   * A bound without memory.
   *
   * @param planner sets the priorities
   * @param longestFirst whether the reads of one request are served costliest first
   */
  public IdealBound(FanoutPlanner planner, boolean longestFirst) {
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
}
