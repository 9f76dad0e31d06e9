/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/**
 * {@code fanout.brb-unifincr}: a read's priority is the request's bottleneck minus the read's own
 * cost, so that reads forecast to take long go first.
 *
 * <p>Source: BRB section 2.1, UnifIncr. The paper's bottleneck is a sum over a sub-task while its
 * own cost is that of one request, so that even bottleneck reads show slack; {@code per: subtask}
 * subtracts the cost of the read's whole opset instead. Deviation: an opset is what goes to one
 * replica, chosen read by read, where BRB splits by replica group.
 */
public final class BrbUnifIncrPlanner implements FanoutPlanner {
  private final boolean perSubtask;
  private final boolean longestFirst;

  /**
   * A planner without memory.
   *
   * @param perSubtask subtract the opset's cost and not the read's
   * @param longestFirst whether the costliest read is ranked, sent and served first
   */
  public BrbUnifIncrPlanner(boolean perSubtask, boolean longestFirst) {
    this.perSubtask = perSubtask;
    this.longestFirst = longestFirst;
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    Plans.arrange(request, longestFirst);
    Plans.rankAndAssign(request, selector, view);
    long bottleneck = Plans.bottleneck(request, unit());
    Plans.prioritiseByIncrease(request, bottleneck, perSubtask);
    request.finish(true, unit(), bottleneck);
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
