/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/**
 * {@code fanout.rein-sds}: tells each replica by how much its opset may be late, the bottleneck
 * minus the opset's cost, so that it serves slack-rich reads later.
 *
 * <p>With {@code order.slack-edf} a read should start by its arrival plus its slack; {@code
 * order.lottery} with {@code inside: slack} adds Rein's levels by bottleneck. {@code rank: slack}
 * makes the slack itself the priority, which with {@code order.bottleneck} is the static form that
 * may starve reads rich in slack.
 *
 * <p>Source: Rein (EuroSys'17), slack-driven scheduling; its queue could not be checked, so the
 * deadline is our reading. Deviation: costs are forecast service times; without a size oracle all
 * keys cost the same, which is Rein's count of keys.
 */
public final class ReinSdsPlanner implements FanoutPlanner {
  private final boolean rankBySlack;
  private final boolean longestFirst;

  /**
   * A planner without memory.
   *
   * @param rankBySlack the slack and not the bottleneck is the priority
   * @param longestFirst whether the costliest read is ranked, sent and served first
   */
  public ReinSdsPlanner(boolean rankBySlack, boolean longestFirst) {
    this.rankBySlack = rankBySlack;
    this.longestFirst = longestFirst;
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    Plans.arrange(request, longestFirst);
    Plans.rankAndAssign(request, selector, view);
    long bottleneck = Plans.bottleneck(request, unit());
    if (rankBySlack) {
      Plans.prioritiseByIncrease(request, bottleneck, true);
    } else {
      Plans.prioritiseByBottleneck(request, unit(), bottleneck);
    }
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
