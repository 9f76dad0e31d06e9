/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.bound;

import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.hold.RoutedOp;

/**
 * An unrealizable reference: how coordinators rank reads, and the single order from which all nodes
 * pull. It replaces a strategy's selector, order and planner.
 */
public interface Bound {
  /** Sets priorities; the replicas of a read stay in stock order and any of them may serve it. */
  FanoutPlanner planner();

  /** Creates an empty order, for one cluster. */
  <T extends RoutedOp> GlobalOrder<T> newOrder();
}
