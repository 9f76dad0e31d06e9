/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.policy.order.Order;
import dev.manx.policy.order.OrderWatch;
import dev.manx.policy.order.SharedOrder;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The reads that wait: those with a rank in the order, and those without one beside it, which keep
 * the place in line that they arrived at. Any thread; {@link #poll} is null only when nothing is
 * queued.
 */
/*
 * A place in line is a turn, not a read. A read without a rank goes when as many ranked reads have been
 * served as were queued when it came; which of them is the order's decision. So the order moves ranked
 * reads among their own turns, and the others wait as long as in arrival order: a stream of scans
 * neither overtakes multigets nor is overtaken by them. Any rank would do one of the two, for where the
 * node is busy all the time a rank is absolute.
 */
final class ReadQueue {
  /** Most reads without a rank; a strategy's order has a bound of its own. */
  static final int MOST_IN_TURN = 65_536;

  private final SharedOrder<QueuedRead> ranked;
  private final AtomicLong rankedServed = new AtomicLong();
  private final AtomicInteger size = new AtomicInteger();
  private final ArrayDeque<QueuedRead> inTurn = new ArrayDeque<>();
  // As long as the deque, to be read without its lock.
  private volatile int inTurnSize;

  /** An empty queue; the arguments are those of {@link SharedOrder}. */
  ReadQueue(Order<QueuedRead> order, boolean acting, OrderWatch watch, Consumer<Throwable> faults) {
    ranked = new SharedOrder<>(order, acting, watch, faults);
  }

  /** The ranked reads, for their counts. */
  SharedOrder<QueuedRead> ranked() {
    return ranked;
  }

  /** Orders by another strategy from now on; ranked reads already queued go before its. */
  void swap(Order<QueuedRead> order, boolean acting, OrderWatch watch) {
    ranked.swap(order, acting, watch);
  }

  /** Queues a read; false if there is no room, or the order does not take it. */
  boolean offer(QueuedRead read) {
    boolean taken = read.isInTurn() ? offerInTurn(read) : ranked.offer(read);
    if (taken) {
      size.incrementAndGet();
    }
    return taken;
  }

  private boolean offerInTurn(QueuedRead read) {
    synchronized (inTurn) {
      if (inTurn.size() >= MOST_IN_TURN) {
        return false;
      }
      read.turn(rankedServed.get() + ranked.size());
      inTurn.add(read);
      inTurnSize = inTurn.size();
    }
    return true;
  }

  /** Takes the next read; null if none is queued. */
  QueuedRead poll(long nowNanos) {
    while (true) {
      QueuedRead read = pollInTurn(true);
      if (read == null) {
        read = ranked.poll(nowNanos);
        if (read != null) {
          rankedServed.incrementAndGet();
        } else {
          read = pollInTurn(false);
        }
      }
      if (read != null) {
        size.decrementAndGet();
        return read;
      }
      if (size.get() <= 0) {
        return null;
      }
      // One came to the side that was looked at first, while the other was looked at: look again.
    }
  }

  private QueuedRead pollInTurn(boolean onlyIfDue) {
    if (inTurnSize == 0) {
      return null;
    }
    synchronized (inTurn) {
      QueuedRead first = inTurn.peek();
      if (first == null || onlyIfDue && first.turn() > rankedServed.get()) {
        return null;
      }
      inTurn.poll();
      inTurnSize = inTurn.size();
      return first;
    }
  }

  /** Reads queued. */
  int size() {
    return Math.max(0, size.get());
  }
}
