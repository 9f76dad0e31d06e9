/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

import dev.manx.policy.order.Op;
import java.util.Arrays;

/**
 * A read whose node is not yet fixed: the element of gates and global orders. {@link #priority},
 * {@link #costNanos}, {@link #requestId} and {@link #arrivalNanos} are set as for any op; {@link
 * #slack} is optional.
 */
public abstract class RoutedOp extends Op {
  /** The nodes that may serve the read, best first, in the first {@link #nodeCount} places. */
  public int[] nodes = new int[3];

  /** How many nodes may serve the read. */
  public int nodeCount;

  /** The chosen node; set by the gate or bound that releases an awaited read. */
  public int node = -1;

  // Index in a HeldReads.
  ReadGroup group;

  /** Whether the read's answer is still needed; if not, its coordinator does not send the read. */
  public boolean isAwaited() {
    return true;
  }

  /** Forgets the nodes of an earlier use. */
  public final void clearNodes() {
    nodeCount = 0;
    node = -1;
  }

  /** Adds the next best node. */
  public final void addNode(int next) {
    if (nodeCount == nodes.length) {
      nodes = Arrays.copyOf(nodes, nodeCount * 2);
    }
    nodes[nodeCount++] = next;
  }
}
