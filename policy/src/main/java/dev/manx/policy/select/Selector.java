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
 * threads and one timer call the ticket events concurrently. {@code rank} allocates nothing and
 * takes no lock. A selector never adds, drops or repeats a replica.
 */
public interface Selector {
  /**
   * Permutes {@code request.replicas()[from, to)} in place.
   *
   * @param request the request so far; its {@code planned...} methods include the reads already
   *     assigned, and its randomness is confined to the calling thread
   * @param read the read's number
   * @param from first index of one replica group
   * @param to end of that group, exclusive
   * @param view the known facts of the nodes
   */
  void rank(Request request, int read, int from, int to, ClusterView view);

  /**
   * Records that a read was sent to a node. Its ticket ends by exactly one of the four events
   * below, unless the host stops acting meanwhile. A selector that replaces another also gets the
   * ends of the other's reads. So do not count outstanding reads here: {@link
   * ClusterView#outstandingReads} is exact.
   */
  default void sent(int node, long costNanos) {}

  /**
   * Records an answer; the facts that came with it are already in the view.
   *
   * @param responseNanos from sending to receipt, on the coordinator's clock
   */
  default void answered(int node, long costNanos, long responseNanos, ClusterView view) {}

  /** Records that a node answered with a failure. */
  default void failed(int node, long costNanos) {}

  /** Records that no answer came before the read expired. */
  default void timedOut(int node, long costNanos) {}

  /** Records that the coordinator gave the read up, or the node died or left. */
  default void cancelled(int node, long costNanos) {}

  /**
   * Forgets a node whose id was given back: its statistics must not pass to the next owner of the
   * id.
   */
  default void forgotten(int node) {}

  /**
   * Called by the timer at the strategy's tick interval; meanwhile {@code rank} uses the scores of
   * the last tick.
   */
  default void tick(ClusterView view, long nowNanos) {}

  /** How often {@link #tick} must be called; {@link Long#MAX_VALUE} for never. */
  default long tickIntervalNanos() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether this selector may send a read to another replica than stock would although no read
   * waits at any node. If not, a host need not call it then. Read once, when the strategy is made.
   */
  default boolean actsWithoutQueue() {
    return true;
  }

  /**
   * Whether this selector must get ticket events of reads that the coordinator serves itself at
   * once; tracking costs more than some of these reads. Reads that wait are always tracked, and a
   * sample of the others. Read once, when the strategy is made.
   */
  default boolean followsReadsAtHome() {
    return true;
  }

  /**
   * Whether a short read of a key that its coordinator holds is best served there while no read
   * waits at any node, as {@link HomeFirst} decides, regardless of the host's choice. Read once,
   * when the strategy is made.
   */
  default boolean prefersHome() {
    return false;
  }

  /**
   * Whether reads wait at the coordinator until a node may have them; if so, {@link #newGate}
   * supplies the gate.
   */
  default boolean gated() {
    return false;
  }

  /** Creates a gate for this selector's coordinator; only if {@link #gated}. */
  default <T extends RoutedOp> Gate<T> newGate() {
    throw new UnsupportedOperationException("the policy does not hold reads back");
  }
}
