/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.RoutedOp;
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

  /**
   * A read ended with its first answer.
   *
   * @param costNanos the forecast it was planned with
   * @param elapsedNanos since its first copy was sent
   * @param copied whether a second copy had been sent by then
   */
  default void answered(long costNanos, long elapsedNanos, boolean copied) {}

  /**
   * Asks leave to send the copy of a read whose time has come; what it costs is booked at once.
   *
   * @param costNanos the forecast it was planned with
   * @param node where the copy would go
   */
  default boolean mayCopy(long costNanos, int node, ClusterView view, long nowNanos) {
    return true;
  }

  /** The timer's call, as often as the strategy's tick interval says. */
  default void tick(ClusterView view, long nowNanos) {}

  /** How often it wants {@link #tick}; {@link Long#MAX_VALUE} if it does not care. */
  default long tickIntervalNanos() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether it does more than rank queued reads. One that only sets priorities and slack has
   * nothing to do while no read waits at any node.
   */
  default boolean actsWithoutQueue() {
    return true;
  }

  /** Whether reads wait at the coordinator until a node may have them; then {@link #newGate}. */
  default boolean gated() {
    return false;
  }

  /** A new gate for this planner's coordinator; only if {@link #gated}. */
  default <T extends RoutedOp> Gate<T> newGate() {
    throw new UnsupportedOperationException("the policy holds nothing back");
  }

  /** The credits that this planner's gate spends; null for a policy without. */
  default Credits credits() {
    return null;
  }
}
