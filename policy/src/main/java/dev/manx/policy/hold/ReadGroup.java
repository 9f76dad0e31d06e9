/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

import dev.manx.policy.order.Op;
import dev.manx.policy.order.OpHeap;
import java.util.Arrays;

/**
 * The held reads that the same nodes may serve. As an op it represents its best read among other
 * groups.
 */
final class ReadGroup extends Op {
  final HeldReads<?> owner;
  final int[] nodes;
  final OpHeap<RoutedOp> heap;
  final int hash;

  // Number of its open nodes while it holds reads; see GatedReads.
  int openNodes;

  ReadGroup(HeldReads<?> owner, int[] nodes, int count, int hash, boolean longestFirst) {
    this.nodes = Arrays.copyOf(nodes, count);
    this.hash = hash;
    this.owner = owner;
    heap = new OpHeap<>(longestFirst);
  }

  boolean isOf(int[] other, int count) {
    return Arrays.equals(nodes, 0, nodes.length, other, 0, count);
  }
}
