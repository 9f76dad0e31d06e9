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
   * Plans in place. Reads, replicas and forecasts are set before; afterwards every read is ranked
   * and assigned, and {@link Request#finish} has been called.
   */
  void plan(Request request, Selector selector, ClusterView view);

  /**
   * Fixes the nodes of a planned request's reads, for a host that must know them before a gate
   * releases the reads: the gate's present choice is ranked first.
   */
  default void fixNodes(Request request, ClusterView view) {}

  /**
   * The unit of the priorities that this planner writes into tags, and of the costs that it
   * receives. Read once, when the strategy is made.
   */
  Request.Unit unit();

  /**
   * Records that a read ended with its first answer.
   *
   * @param rank its priority, or its cost if it had none
   * @param elapsedNanos time since its first copy was sent
   * @param copied whether a second copy had been sent by then
   */
  default void answered(long rank, long elapsedNanos, boolean copied) {}

  /**
   * Records that a node answered a read of this coordinator, of any request and any copy, or passed
   * a read on.
   *
   * @param signNanos the earliest possible time of that sign of life, on the clock of the view's
   *     ages; for an answer, now
   */
  default void heard(int node, long signNanos) {}

  /**
   * Records the service time of a read that a node answered. Only hosts whose answers contain
   * service times call this; on a node of Cassandra forecasts are themselves service times that
   * nodes reported.
   *
   * @param costNanos the forecast that it was planned with
   */
  default void served(int node, long costNanos, long serviceNanos) {}

  /**
   * Returns how much longer to wait for a read whose copy is due, in nanoseconds; 0 if it is late.
   * If the view has no open read at its node, the node has died since.
   *
   * @param rank its priority, or its cost if it had none
   * @param costNanos the forecast that it was planned with
   * @param elapsedNanos time since its first copy was sent
   * @param node the destination of that copy
   * @param nowNanos on the clock of the view's ages
   */
  default long onTimeForNanos(
      long rank, long costNanos, long elapsedNanos, int node, ClusterView view, long nowNanos) {
    return 0;
  }

  /**
   * How long after its sending the coordinator first asks {@link #onTimeForNanos} and {@link
   * #mayCopy} for a read that its replica may pass on ({@link dev.manx.policy.Copies#FORWARDED}),
   * in nanoseconds; {@link Long#MAX_VALUE} for never. A replica that has stopped passes nothing on.
   */
  default long rescueAfterNanos() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether copies of a request's remaining reads may be sent; a copy that is due earlier waits
   * until then.
   *
   * @param reads number of reads of the request
   * @param left unanswered reads, at least 1
   * @param late how many unanswered reads are past the time of their copy
   */
  default boolean copiesNow(int reads, int left, int late) {
    return true;
  }

  /**
   * Decides whether the coordinator may send the copy of a read whose copy is due; its cost is
   * booked at once, and {@link #copyNotSent} returns it. After a refusal the caller may ask again
   * when the read is twice as old. If the view has no open read at the first copy's node, that node
   * has died since.
   *
   * @param costNanos the forecast that it was planned with
   * @param elapsedNanos time since its first copy was sent
   * @param from the first copy's destination
   * @param to the second copy's destination
   * @param nowNanos on the clock of the view's ages
   */
  default boolean mayCopy(
      long costNanos, long elapsedNanos, int from, int to, ClusterView view, long nowNanos) {
    return true;
  }

  /**
   * Records that the copy for which {@link #mayCopy} was asked last, and which it allowed, was not
   * sent after all.
   */
  default void copyNotSent() {}

  /**
   * Returns the priority of a copy.
   *
   * @param priority of the first copy, in {@link #unit}
   * @param cost of the read, in the same unit
   * @param left unanswered reads of the request, at least 1
   */
  default long copyPriority(long priority, long cost, int left) {
    return priority;
  }

  /**
   * Sets how many reads a node serves at once; 1 until it is called. Called at the start, and by
   * the timer wherever the number may change.
   *
   * @param reads at least 1
   */
  default void servedAtOnce(int reads) {}

  /** Records that both copies of a read were answered: one of them was wasted. */
  default void copyWasted() {}

  /** The extent to which copies that are no longer needed are stopped, in the simulator only. */
  default Cancelling cancelling() {
    return Cancelling.NOTHING;
  }

  /**
   * Creates a budget for the copies that one replica passes on.
   *
   * @return null for no bound in the simulator; without a budget a node does not pass reads on
   */
  default CopyBudget newReplicaBudget() {
    return null;
  }

  /**
   * Whether a replica may pass a read on to a node. Called by the coordinator before it offers the
   * read to that node.
   */
  default boolean mayPassTo(int node, ClusterView view, long nowNanos) {
    return true;
  }

  /** Called by the timer at the strategy's tick interval. */
  default void tick(ClusterView view, long nowNanos) {}

  /** How often {@link #tick} must be called; {@link Long#MAX_VALUE} for never. */
  default long tickIntervalNanos() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether this planner does more than rank queued reads. A planner that only sets priorities and
   * slack has no effect while no read waits at any node. Read once, when the strategy is made.
   */
  default boolean actsWithoutQueue() {
    return true;
  }

  /**
   * Whether the reads of a request that its driver pages are sent one after another, each after the
   * previous one has ended, as in stock Cassandra.
   */
  default boolean paged() {
    return false;
  }

  /**
   * Whether reads wait at the coordinator until a node may have them; if so, {@link #newGate}
   * supplies the gate.
   */
  default boolean gated() {
    return false;
  }

  /** Creates a gate for this planner's coordinator; only if {@link #gated}. */
  default <T extends RoutedOp> Gate<T> newGate() {
    throw new UnsupportedOperationException("the policy does not hold reads back");
  }

  /** The credits that this planner's gate spends; null for a policy without credits. */
  default Credits credits() {
    return null;
  }
}
