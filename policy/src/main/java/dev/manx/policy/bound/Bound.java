/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.bound;

import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.hold.RoutedOp;

/**
 * An unrealisable reference: how coordinators rank reads, and the one order that all nodes pull
 * from. It stands in for selector, order and planner of a strategy.
 */
public interface Bound {
  /** Sets priorities; the replicas of a read stay in stock order and any of them may serve it. */
  FanoutPlanner planner();

  /** A new empty order, for one cluster. */
  <T extends RoutedOp> GlobalOrder<T> newOrder();
}
