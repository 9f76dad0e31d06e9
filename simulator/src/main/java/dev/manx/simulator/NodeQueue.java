/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.order.Order;
import java.util.ArrayDeque;

/**
 * The waiting reads of one node: the strategy's order, and the reads beyond its capacity, which are
 * served after it in order of arrival. Confined to one thread, as the order's contract requires.
 */
final class NodeQueue {
  /** The strategy's order, to be asked for counts only. */
  final Order<Read> order;

  private final ArrayDeque<Read> overflow = new ArrayDeque<>();

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
}
