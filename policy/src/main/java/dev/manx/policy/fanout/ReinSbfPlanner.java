/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/**
 * {@code fanout.rein-sbf}: every read of a request gets the request's largest opset, counted in
 * keys, as its priority.
 *
 * <p>Source: Rein (EuroSys'17), shortest bottleneck first. Deviations: the coordinator plans, and
 * replicas are ranked by the strategy's selector before keys are counted.
 */
public final class ReinSbfPlanner implements FanoutPlanner {
  private final boolean longestFirst;

  /**
   * A planner without memory.
   *
   * @param longestFirst whether the costliest read is ranked, sent and served first
   */
  public ReinSbfPlanner(boolean longestFirst) {
    this.longestFirst = longestFirst;
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    Plans.arrange(request, longestFirst);
    Plans.rankAndAssign(request, selector, view);
    long bottleneck = Plans.bottleneck(request, unit());
    Plans.prioritiseByBottleneck(request, unit(), bottleneck);
    request.finish(true, unit(), bottleneck);
  }

  @Override
  public Request.Unit unit() {
    return Request.Unit.KEYS;
  }

  @Override
  public boolean actsWithoutQueue() {
    return false;
  }
}
