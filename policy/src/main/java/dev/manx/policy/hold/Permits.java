/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

import dev.manx.policy.facts.ClusterView;

/**
 * When each node may be sent a read, and the price of sending one: credit, or a send rate. It
 * belongs to one {@link Gate}, whose coordinator's calls come one at a time.
 */
public interface Permits {
  /** Rank of a read among the held reads; smaller first, then by arrival. */
  long rank(RoutedOp read);

  /** When a node opens, or the time when it opened. */
  long opensAtNanos(int node);

  /** Whether one node is better for a read than another; both are open and may serve it. */
  boolean isBetter(RoutedOp read, int node, int other, long nowNanos, ClusterView view);

  /** Records that a read goes to its {@link RoutedOp#node}. */
  void spend(RoutedOp read, long nowNanos);

  /** Reports the nodes whose opening time may have changed since the last call. */
  void reportChanges(GatedReads<?> held, long nowNanos);
}
