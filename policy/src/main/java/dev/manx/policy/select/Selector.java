/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.RoutedOp;

/**
 * Ranks the replicas of one read, best first.
 *
 * <p>Threads: many request threads call {@link #rank} at once, each with its own request; response
 * threads and one timer call the ticket events at once with them. {@code rank} allocates nothing
 * and takes no lock. A selector never adds, drops or repeats a replica.
 */
public interface Selector {
  /**
   * Permutes {@code request.replicas()[from, to)} in place.
   *
   * @param request the request so far; reads already assigned show in its {@code planned...}
   *     methods, its randomness is the caller's own
   * @param read the read's number
   * @param from first index of one replica group
   * @param to end of that group, exclusive
   * @param view what is known of the nodes
   */
  void rank(Request request, int read, int from, int to, ClusterView view);

  /** A read went out to a node. Its ticket ends by exactly one of the four events below. */
  default void sent(int node, long costNanos) {}

  /**
   * A read was answered; the facts that came with the answer are already in the view.
   *
   * @param responseNanos from sending to receipt, on the coordinator's clock
   */
  default void answered(int node, long costNanos, long responseNanos, ClusterView view) {}

  /** A node answered with a failure. */
  default void failed(int node, long costNanos) {}

  /** No answer came before the read expired. */
  default void timedOut(int node, long costNanos) {}

  /** The coordinator gave the read up, or the node died or left. */
  default void cancelled(int node, long costNanos) {}

  /** A node's id was given back: what was learned of it must not stick to the next owner. */
  default void forgotten(int node) {}

  /**
   * The timer's call, as often as the strategy's tick interval says; {@code rank} meanwhile sees
   * the scores of the last one.
   */
  default void tick(ClusterView view, long nowNanos) {}

  /** How often it wants {@link #tick}; {@link Long#MAX_VALUE} if it does not care. */
  default long tickIntervalNanos() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether it may send a read elsewhere than stock would although no read waits at any node. A
   * host need not ask the others then. Asked once, when the strategy is made.
   */
  default boolean actsWithoutQueue() {
    return true;
  }

  /**
   * Whether it must be told of reads that the coordinator serves itself at once; following them
   * costs more than some of them do. Those that wait are always followed, and of the others a
   * sample. Asked once, when the strategy is made.
   */
  default boolean followsReadsAtHome() {
    return true;
  }

  /**
   * Whether a short read of a key that its coordinator holds is best served there while no read
   * waits at any node, as {@link HomeFirst} decides, whatever the host would do. Asked once, when
   * the strategy is made.
   */
  default boolean prefersHome() {
    return false;
  }

  /** Whether reads wait at the coordinator until a node may have them; then {@link #newGate}. */
  default boolean gated() {
    return false;
  }

  /** A new gate for this selector's coordinator; only if {@link #gated}. */
  default <T extends RoutedOp> Gate<T> newGate() {
    throw new UnsupportedOperationException("the policy holds no reads back");
  }
}
