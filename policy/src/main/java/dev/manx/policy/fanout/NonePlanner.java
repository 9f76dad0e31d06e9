/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/**
 * {@code fanout.none}: every read is ranked as if it were alone, and carries no tag.
 *
 * <p>A read sees the reads of its request that were ranked before it as planned, as it would if
 * they had been sent.
 */
public final class NonePlanner implements FanoutPlanner {
  private final boolean longestFirst;

  /**
   * A planner without memory.
   *
   * @param longestFirst whether the costliest read is ranked and sent first
   */
  public NonePlanner(boolean longestFirst) {
    this.longestFirst = longestFirst;
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    Plans.arrange(request, longestFirst);
    Plans.rankAndAssign(request, selector, view);
    request.finish(false, unit(), Plans.bottleneck(request, unit()));
  }

  @Override
  public Request.Unit unit() {
    return Request.Unit.NANOS;
  }

  @Override
  public boolean actsWithoutQueue() {
    return false;
  }
}
