/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

import dev.manx.policy.order.Op;
import dev.manx.policy.order.OpHeap;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Held reads of nodes that open and close: returns the best read with an open node, and the time
 * when the next node opens. Sequential.
 *
 * <p>One heap holds the groups with reads and an open node, by their best reads; another holds the
 * closed nodes with waiting reads, by opening time. A read thus costs the logarithm of the number
 * of groups, however many reads wait; a node that opens or closes costs that for each of its
 * groups.
 *
 * @param <T> the caller's read
 */
public final class GatedReads<T extends RoutedOp> {
  /** A node that held reads may go to. */
  private static final class Node extends Op {
    private final int id;
    private int groups;
    private boolean open;
    private long opensAtNanos;

    private Node(int id) {
      this.id = id;
    }
  }

  private final HeldReads<T> held;
  private final IntToLongFunction opensAt;
  private final OpHeap<ReadGroup> ready;
  private final OpHeap<Node> closed = new OpHeap<>(false);
  private Node[] nodes = new Node[8];

  /**
   * Creates an empty queue.
   *
   * @param longestFirst whether to serve equal ranks by request id, and reads of one request
   *     costliest first
   * @param opensAt when a node opens or has opened; may change only with a call of {@link
   *     #changed}, or as time passes
   */
  public GatedReads(boolean longestFirst, IntToLongFunction opensAt) {
    held = new HeldReads<>(longestFirst);
    ready = new OpHeap<>(longestFirst);
    this.opensAt = opensAt;
  }

  /** Adds a read. */
  public void add(T read, long rank, long nowNanos) {
    held.add(read, rank);
    ReadGroup group = read.group;
    if (group.heap.size() == 1) {
      appear(group, nowNanos);
    } else if (group.openNodes > 0 && group.heap.peek() == read) {
      ready.remove(group);
      ready.addAs(group, read);
    }
  }

  /** The best read with an open node, or null. */
  // Only reads of type T are ever added.
  @SuppressWarnings("unchecked")
  public T best(long nowNanos) {
    wake(nowNanos);
    ReadGroup group = ready.peek();
    return group == null ? null : (T) group.heap.peek();
  }

  /**
   * Removes a read.
   *
   * @return false if it is not held here
   */
  public boolean remove(T read) {
    ReadGroup group = read.group;
    if (!held.remove(read)) {
      return false;
    }
    if (group.heap.size() == 0) {
      vanish(group);
    } else if (group.openNodes > 0) {
      ready.remove(group);
      ready.addAs(group, group.heap.peek());
    }
    return true;
  }

  /** Number of held reads. */
  public int size() {
    return held.size();
  }

  /**
   * When {@link #best} may return a read without a preceding change: now, when the next node opens,
   * or {@link Long#MAX_VALUE}.
   */
  public long nextNanos(long nowNanos) {
    wake(nowNanos);
    if (ready.size() > 0) {
      return nowNanos;
    }
    Node next = closed.peek();
    return next == null ? Long.MAX_VALUE : next.opensAtNanos;
  }

  /** Updates a node whose opening time may have changed. */
  public void changed(int id, long nowNanos) {
    Node node = id < nodes.length ? nodes[id] : null;
    if (node == null || node.groups == 0) {
      return;
    }
    if (node.open) {
      if (!isOpen(node, nowNanos)) {
        close(node);
      }
    } else {
      closed.remove(node);
      if (isOpen(node, nowNanos)) {
        open(node);
      } else {
        closed.add(node, node.opensAtNanos, id);
      }
    }
  }

  /** Updates every node, since every opening time may have changed. */
  public void allChanged(long nowNanos) {
    for (int id = 0; id < nodes.length; id++) {
      changed(id, nowNanos);
    }
  }

  private void wake(long nowNanos) {
    for (Node node = closed.peek();
        node != null && node.opensAtNanos <= nowNanos;
        node = closed.peek()) {
      closed.remove(node);
      open(node);
    }
  }

  private void open(Node node) {
    node.open = true;
    for (ReadGroup group : held.groupsOf(node.id)) {
      if (group.heap.size() > 0 && group.openNodes++ == 0) {
        ready.addAs(group, group.heap.peek());
      }
    }
  }

  private void close(Node node) {
    node.open = false;
    closed.add(node, node.opensAtNanos, node.id);
    for (ReadGroup group : held.groupsOf(node.id)) {
      if (group.heap.size() > 0 && --group.openNodes == 0) {
        ready.remove(group);
      }
    }
  }

  /** Updates the heap after a group got its first read. */
  private void appear(ReadGroup group, long nowNanos) {
    for (int id : group.nodes) {
      Node node = node(id);
      if (node.groups++ == 0) {
        node.open = isOpen(node, nowNanos);
        if (!node.open) {
          closed.add(node, node.opensAtNanos, id);
        }
      }
      group.openNodes += node.open ? 1 : 0;
    }
    if (group.openNodes > 0) {
      ready.addAs(group, group.heap.peek());
    }
  }

  /** Updates the heap after a group lost its last read. */
  private void vanish(ReadGroup group) {
    if (group.openNodes > 0) {
      ready.remove(group);
      group.openNodes = 0;
    }
    for (int id : group.nodes) {
      Node node = node(id);
      if (--node.groups == 0 && !node.open) {
        closed.remove(node);
      }
    }
  }

  private boolean isOpen(Node node, long nowNanos) {
    node.opensAtNanos = opensAt.applyAsLong(node.id);
    return node.opensAtNanos <= nowNanos;
  }

  private Node node(int id) {
    if (id >= nodes.length) {
      nodes = Arrays.copyOf(nodes, Math.max(id + 1, nodes.length * 2));
    }
    if (nodes[id] == null) {
      nodes[id] = new Node(id);
    }
    return nodes[id];
  }
}
