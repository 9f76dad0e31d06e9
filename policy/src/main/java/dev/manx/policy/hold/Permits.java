/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

import dev.manx.policy.facts.ClusterView;

/**
 * When each node may be sent a read, and what sending one costs: credit, or a send rate. It belongs
 * to one {@link Gate}, whose coordinator's calls come one at a time.
 */
public interface Permits {
  /** Place of a read among those held; smaller ones first, then by arrival. */
  long rank(RoutedOp read);

  /** When a node opens or has opened. */
  long opensAtNanos(int node);

  /** Whether a read had better go to a node than to another; both are open and serve it. */
  boolean isBetter(RoutedOp read, int node, int other, long nowNanos, ClusterView view);

  /** A read goes to its {@link RoutedOp#node}. */
  void spend(RoutedOp read, long nowNanos);

  /** Says which nodes may open at another time than they were to, since it was asked last. */
  void tellChanges(GatedReads<?> held, long nowNanos);
}
