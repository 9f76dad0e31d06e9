/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/**
 * {@code fanout.brb-equalmax}: every read of a request gets the request's bottleneck, the cost of
 * its costliest opset, as its priority.
 *
 * <p>Source: BRB section 2.1, EqualMax. Deviations: an opset is what goes to one replica, chosen
 * read by read, where BRB splits by replica group; the coordinator plans, not the client; the cost
 * is a forecast of service time unless keys or bytes are asked for.
 */
public final class BrbEqualMaxPlanner implements FanoutPlanner {
  private final Request.Unit unit;
  private final boolean longestFirst;

  /**
   * A planner without memory.
   *
   * @param unit what costs are counted in
   * @param longestFirst whether the costliest read is ranked, sent and served first
   */
  public BrbEqualMaxPlanner(Request.Unit unit, boolean longestFirst) {
    this.unit = unit;
    this.longestFirst = longestFirst;
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    Plans.arrange(request, longestFirst);
    Plans.rankAndAssign(request, selector, view);
    long bottleneck = Plans.bottleneck(request, unit);
    Plans.prioritiseByBottleneck(request, unit, bottleneck);
    request.finish(true, unit, bottleneck);
  }

  @Override
  public Request.Unit unit() {
    return unit;
  }

  @Override
  public boolean actsWithoutQueue() {
    return false;
  }
}
