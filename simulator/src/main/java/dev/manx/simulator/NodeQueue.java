/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.order.Order;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The waiting reads of one node: the strategy's order, and the reads beyond its capacity, which are
 * served after it in order of arrival. Confined to one thread, as the order's contract requires.
 */
final class NodeQueue {
  private static final Comparator<Read> BY_ARRIVAL =
      Comparator.<Read>comparingLong(read -> read.arrivedNanos)
          .thenComparingLong(read -> read.number);

  /** The strategy's order, read-only. */
  Order<Read> order;

  private final ArrayDeque<Read> overflow = new ArrayDeque<>();

  // Counts of the orders before the present one.
  private long cuts;
  private long overloaded;
  private long servedLong;

  /** Reads for which the order had no room. */
  long overflowed;

  NodeQueue(Order<Read> order) {
    this.order = order;
  }

  void add(Read read) {
    if (!order.offer(read)) {
      overflowed++;
      overflow.add(read);
    }
  }

  /** Takes the next read at a time of the node's clock; null if none waits. */
  Read poll(long clockNanos) {
    Read read = order.poll(clockNanos);
    return read == null ? overflow.poll() : read;
  }

  void remove(Read read) {
    if (!order.remove(read)) {
      overflow.remove(read);
    }
  }

  /** Whether the order has a read. */
  boolean hasWork() {
    return order.size() > 0;
  }

  /** Removes and returns all reads, in order of arrival; the order does not learn from them. */
  List<Read> empty(long clockNanos) {
    List<Read> all = new ArrayList<>();
    for (Read read = order.peek(clockNanos); read != null; read = order.peek(clockNanos)) {
      order.remove(read);
      all.add(read);
    }
    all.sort(BY_ARRIVAL);
    all.addAll(overflow);
    overflow.clear();
    return all;
  }

  /** Continues with an order that has learned nothing yet. */
  void renew(Order<Read> fresh, long clockNanos) {
    List<Read> waiting = empty(clockNanos);
    cuts += order.cuts();
    overloaded += order.overloaded();
    servedLong += order.servedLong();
    order = fresh;
    for (Read read : waiting) {
      if (!order.offer(read)) {
        overflow.add(read);
      }
    }
  }

  /** Reads served because they had waited for {@code max-wait}. */
  long cuts() {
    return cuts + order.cuts();
  }

  /** Reads served while the queue counted as overloaded. */
  long overloaded() {
    return overloaded + order.overloaded();
  }

  /** Reads served while the queue was long. */
  long servedLong() {
    return servedLong + order.servedLong();
  }
}
