/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/**
 * Plans a whole request: ranks the replicas of every read, and gives each its priority, slack, send
 * order and, where the policy has them, send delay.
 *
 * <p>Threads: many request threads plan at once, each with its own request. Allocates nothing.
 */
public interface FanoutPlanner {
  /**
   * Plans in place. Reads, replicas and forecasts are set; afterwards every read is ranked and
   * assigned, and {@link Request#finish} has been called.
   */
  void plan(Request request, Selector selector, ClusterView view);

  /**
   * The unit of the priorities that this planner writes into tags, and of the costs it is given.
   */
  Request.Unit unit();
}
