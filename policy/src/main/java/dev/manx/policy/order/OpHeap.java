/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import java.util.Arrays;
import java.util.function.ToLongFunction;

/**
 * Ops in a binary heap by rank, then by arrival number; exact, and any op can be removed.
 * Sequential. Add, poll and remove take logarithmic time; the array grows to the longest queue so
 * far and never shrinks.
 *
 * @param <T> the adapter's op
 */
public final class OpHeap<T extends Op> {
  private final boolean longestFirst;
  private Op[] ops = new Op[16];
  private int size;

  /**
   * Creates an empty heap.
   *
   * @param longestFirst whether to serve equal ranks by request id, and reads of one request
   *     costliest first
   */
  public OpHeap(boolean longestFirst) {
    this.longestFirst = longestFirst;
  }

  /** Adds an op that is in no heap. */
  public void add(T op, long rank, long sequence) {
    add(op, rank, longestFirst ? op.requestId : 0, sequence);
  }

  /**
   * Adds an op that is in no heap.
   *
   * @param group replaces the request's id: among equal ranks smaller ones go first, and those of
   *     one group costliest first
   */
  void add(T op, long rank, long group, long sequence) {
    if (size == ops.length) {
      ops = Arrays.copyOf(ops, size * 2);
    }
    op.rank = rank;
    op.group = group;
    op.sequence = sequence;
    up(op, size++);
  }

  /** Adds an op that is in no heap, at another op's rank. */
  public void addAs(T op, Op other) {
    op.requestId = other.requestId;
    op.costNanos = other.costNanos;
    add(op, other.rank, other.group, other.sequence);
  }

  /** The op to serve first, or null. */
  // Only ops of type T are ever added.
  @SuppressWarnings("unchecked")
  public T peek() {
    return size == 0 ? null : (T) ops[0];
  }

  /** Removes an op that is in this heap. */
  public void remove(T op) {
    int at = op.bucket;
    Op last = ops[--size];
    ops[size] = null;
    if (last != op) {
      if (at > 0 && isBefore(last, ops[(at - 1) >>> 1])) {
        up(last, at);
      } else {
        down(last, at);
      }
    }
  }

  /**
   * Gives every op another rank, in linear time.
   *
   * @param rank of an op, from its present one
   */
  @SuppressWarnings("unchecked") // only ops of type T are ever added
  void rerank(ToLongFunction<T> rank) {
    for (int at = 0; at < size; at++) {
      ops[at].rank = rank.applyAsLong((T) ops[at]);
    }
    for (int at = size / 2 - 1; at >= 0; at--) {
      down(ops[at], at);
    }
  }

  /** Number of ops in the heap. */
  public int size() {
    return size;
  }

  /** Whether one op of such heaps is served before another. */
  public boolean isBefore(Op op, Op other) {
    if (op.rank != other.rank) {
      return op.rank < other.rank;
    }
    if (longestFirst) {
      if (op.group != other.group) {
        return op.group < other.group;
      }
      if (op.costNanos != other.costNanos) {
        return op.costNanos > other.costNanos;
      }
    }
    return op.sequence < other.sequence;
  }

  private void up(Op op, int from) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (!isBefore(op, ops[parent])) {
        break;
      }
      place(ops[parent], at);
      at = parent;
    }
    place(op, at);
  }

  private void down(Op op, int from) {
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(ops[child + 1], ops[child])) {
        child++;
      }
      if (!isBefore(ops[child], op)) {
        break;
      }
      place(ops[child], at);
      at = child;
    }
    place(op, at);
  }

  private void place(Op op, int at) {
    ops[at] = op;
    op.bucket = at;
  }
}
