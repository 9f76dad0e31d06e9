/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

import dev.manx.policy.facts.ClusterView;

/**
 * Holds reads back at their coordinator until a node may have them, and says which node that is.
 *
 * <p>The coordinator offers every planned read in the order of sending, then calls {@link #release}
 * until it gives null, and again at {@link #nextReleaseNanos}, after every answer and after every
 * tick. A read leaves exactly once, by {@code release} or {@code remove}. Sequential: one gate
 * belongs to one coordinator, whose calls come one at a time.
 *
 * @param <T> the coordinator's read
 */
public interface Gate<T extends RoutedOp> {
  /**
   * Takes a read in; priority, cost, arrival and nodes are set.
   *
   * @return false if the gate is full: the caller sends the read to its first node at once
   */
  boolean offer(T read);

  /** The next read that may go now, with {@link RoutedOp#node} set; null if all must wait. */
  T release(long nowNanos, ClusterView view);

  /**
   * When {@link #release} may give a read without any event before; {@link Long#MAX_VALUE} if
   * nothing waits or only an event can help.
   */
  long nextReleaseNanos(long nowNanos);

  /**
   * Takes a held read out, wherever it stands.
   *
   * @return false if it is not held here
   */
  boolean remove(T read);

  /** Reads held. */
  int size();
}
