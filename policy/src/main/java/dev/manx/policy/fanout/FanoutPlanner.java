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
   * Settles which nodes a planned request's reads go to, for a host where that cannot wait until a
   * gate releases them: those that the gate would choose now are ranked first.
   */
  default void fixNodes(Request request, ClusterView view) {}

  /**
   * The unit of the priorities that this planner writes into tags, and of the costs it is given.
   * Asked once, when the strategy is made.
   */
  Request.Unit unit();

  /**
   * A read ended with its first answer.
   *
   * @param rank what it was ranked by: its priority, or its cost if it had none
   * @param elapsedNanos since its first copy was sent
   * @param copied whether a second copy had been sent by then
   */
  default void answered(long rank, long elapsedNanos, boolean copied) {}

  /**
   * Whether what is left of a request may be sent copies: a copy that is due earlier waits until
   * then.
   *
   * @param reads of the request
   * @param left unanswered ones, at least 1
   * @param late how many of them are past the time of their copy
   */
  default boolean copiesNow(int reads, int left, int late) {
    return true;
  }

  /**
   * Asks the coordinator's leave to send the copy of a read whose time has come; what it costs is
   * booked at once. Who is refused may ask again when the read is twice as old.
   *
   * @param costNanos the forecast it was planned with
   * @param elapsedNanos since its first copy was sent
   * @param node where the copy would go
   * @param nowNanos on the clock of the view's ages
   */
  default boolean mayCopy(
      long costNanos, long elapsedNanos, int node, ClusterView view, long nowNanos) {
    return true;
  }

  /**
   * Priority of a copy.
   *
   * @param priority of the first copy, in {@link #unit}
   * @param cost of the read, in the same unit
   * @param left unanswered reads of the request, at least 1
   */
  default long copyPriority(long priority, long cost, int left) {
    return priority;
  }

  /** A read was answered again after its other copy had been: one of them was read in vain. */
  default void copyWasted() {}

  /** How much the cancellation of a copy stops. */
  default Cancelling cancelling() {
    return Cancelling.QUEUED;
  }

  /** A new budget for the copies that one replica hands on; null for no bound. */
  default CopyBudget newReplicaBudget() {
    return null;
  }

  /** The timer's call, as often as the strategy's tick interval says. */
  default void tick(ClusterView view, long nowNanos) {}

  /** How often it wants {@link #tick}; {@link Long#MAX_VALUE} if it does not care. */
  default long tickIntervalNanos() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether it does more than rank queued reads. One that only sets priorities and slack has
   * nothing to do while no read waits at any node. Asked once, when the strategy is made.
   */
  default boolean actsWithoutQueue() {
    return true;
  }

  /**
   * Whether the reads of a request that its driver pages leave one after another, each when the one
   * before it has ended, as in stock Cassandra.
   */
  default boolean paged() {
    return false;
  }

  /** Whether reads wait at the coordinator until a node may have them; then {@link #newGate}. */
  default boolean gated() {
    return false;
  }

  /** A new gate for this planner's coordinator; only if {@link #gated}. */
  default <T extends RoutedOp> Gate<T> newGate() {
    throw new UnsupportedOperationException("the policy holds no reads back");
  }

  /** The credits that this planner's gate spends; null for a policy without. */
  default Credits credits() {
    return null;
  }
}
