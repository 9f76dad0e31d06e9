/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads grouped by the set of nodes that may serve them, best first within a group: one heap per
 * replica group. A node compares the heads of its groups. Sequential.
 *
 * <p>Groups are created on first use and kept: a cluster has about as many as token ranges. The
 * order of a read's nodes is ignored here.
 *
 * @param <T> the caller's read
 */
public final class HeldReads<T extends RoutedOp> {
  private final boolean longestFirst;
  private final List<ReadGroup> groups = new ArrayList<>();
  private ReadGroup[] table = new ReadGroup[64];
  private final List<List<ReadGroup>> ofNode = new ArrayList<>();
  private int[] sorted = new int[8];
  private long sequence;
  private int size;

  /**
   * Creates an empty queue.
   *
   * @param longestFirst whether to serve equal ranks by request id, and reads of one request
   *     costliest first
   */
  public HeldReads(boolean longestFirst) {
    this.longestFirst = longestFirst;
  }

  /** Adds a read. */
  public void add(T read, long rank) {
    ReadGroup group = group(read.nodes, read.nodeCount);
    read.group = group;
    group.heap.add(read, rank, sequence++);
    size++;
  }

  /** The best read that a node may serve, or null. */
  // Only reads of type T are ever added.
  @SuppressWarnings("unchecked")
  public T best(int node) {
    RoutedOp best = null;
    if (node < ofNode.size()) {
      List<ReadGroup> own = ofNode.get(node);
      for (int i = 0; i < own.size(); i++) {
        best = better(own.get(i), best);
      }
    }
    return (T) best;
  }

  /**
   * Removes a read.
   *
   * @return false if it is not held here
   */
  public boolean remove(T read) {
    if (read.group == null || read.group.owner != this) {
      return false;
    }
    read.group.heap.remove(read);
    read.group = null;
    size--;
    return true;
  }

  /** Number of held reads. */
  public int size() {
    return size;
  }

  /** All groups that include a node, even empty ones. */
  List<ReadGroup> groupsOf(int node) {
    return ofNode.get(node);
  }

  private static RoutedOp better(ReadGroup group, RoutedOp best) {
    RoutedOp head = group.heap.peek();
    return head != null && (best == null || group.heap.isBefore(head, best)) ? head : best;
  }

  private ReadGroup group(int[] nodes, int count) {
    if (sorted.length < count) {
      sorted = new int[count * 2];
    }
    System.arraycopy(nodes, 0, sorted, 0, count);
    Arrays.sort(sorted, 0, count);
    int hash = 1;
    for (int i = 0; i < count; i++) {
      hash = 31 * hash + sorted[i];
    }
    hash *= 0x9E3779B9;
    hash ^= hash >>> 15;
    int at = hash & (table.length - 1);
    while (table[at] != null) {
      if (table[at].hash == hash && table[at].isOf(sorted, count)) {
        return table[at];
      }
      at = (at + 1) & (table.length - 1);
    }
    return newGroup(count, hash);
  }

  private ReadGroup newGroup(int count, int hash) {
    ReadGroup group = new ReadGroup(this, sorted, count, hash, longestFirst);
    groups.add(group);
    for (int node : group.nodes) {
      while (ofNode.size() <= node) {
        ofNode.add(new ArrayList<>());
      }
      ofNode.get(node).add(group);
    }
    if (groups.size() * 2 > table.length) {
      table = new ReadGroup[table.length * 2];
      groups.forEach(this::enter);
    } else {
      enter(group);
    }
    return group;
  }

  private void enter(ReadGroup group) {
    int at = group.hash & (table.length - 1);
    while (table[at] != null) {
      at = (at + 1) & (table.length - 1);
    }
    table[at] = group;
  }
}
