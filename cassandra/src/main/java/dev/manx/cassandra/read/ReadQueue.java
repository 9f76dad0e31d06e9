/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.policy.order.Order;
import dev.manx.policy.order.OrderWatch;
import dev.manx.policy.order.SharedOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The reads that wait: those with a rank in the order, and those without one beside it, which wait
 * in turn. Any thread; {@link #poll} is null only when nothing is queued.
 */
/*
 * A place in line is a turn, not a read. A read without a rank goes when as many reads have been served
 * as were queued when it came; which ranked reads are among them is the order's decision. So the order
 * moves ranked reads among their own turns, and the others wait as long as in arrival order: a stream of
 * scans neither overtakes multigets nor is overtaken by them. Any rank would do one of the two, for where
 * the node is busy all the time a rank is absolute.
 *
 * Where other nodes have Manx, multigets of a coordinator without it wait behind all the reads that
 * planned requests send at once; if none had, they would wait behind one read of each paged request. In
 * arrival order they would be slower for it. So their reads wait for one read of each queued request, as
 * if the requests took turns. They take these turns from ranked reads: 26 at most for each of them, and
 * never two in a row while ranked reads wait. The places of range and index reads do not change.
 */
final class ReadQueue {
  /** Most reads without a rank; a strategy's order has a bound of its own. */
  static final int MOST_IN_TURN = 65_536;

  private final SharedOrder<QueuedRead> ranked;
  private final AtomicLong served = new AtomicLong();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicLong offered = new AtomicLong();
  // Whether the last read that was served went ahead of others; threads that race make it twice.
  private volatile boolean overtook;
  private final QueuedRequests requests = new QueuedRequests();
  private final ReadsInTurn inTurn = new ReadsInTurn();

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
    boolean taken =
        read.isInTurn()
            ? inTurn.offer(read, served.get(), size(), requests.count())
            : ranked.offer(read);
    if (taken) {
      if (!read.isInTurn()) {
        requests.queued(read.request());
      }
      size.incrementAndGet();
      offered.incrementAndGet();
    }
    return taken;
  }

  /** Takes the next read; null if none is queued. */
  QueuedRead poll(long nowNanos) {
    while (true) {
      long before = offered.get();
      QueuedRead read = pollInTurn();
      if (read == null) {
        read = ranked.poll(nowNanos);
        if (read != null) {
          requests.left(read.request());
        } else {
          read = inTurn.poll(Long.MAX_VALUE, true);
        }
      }
      if (read != null) {
        served.incrementAndGet();
        size.decrementAndGet();
        return read;
      }
      if (offered.get() == before) {
        // Both sides were empty. The size may not show it yet: a thread that takes the last read
        // may have an order's fault to report first.
        return null;
      }
      // One came to the side that was looked at first, while the other was looked at: look again.
    }
  }

  private QueuedRead pollInTurn() {
    long before = served.get();
    boolean already = overtook;
    QueuedRead read = inTurn.poll(before, !already);
    boolean overtakes = read != null && read.overtakes(before);
    if (overtakes != already) {
      overtook = overtakes;
    }
    return read;
  }

  /** Requests that the ranked reads belong to. */
  int requests() {
    return requests.count();
  }

  /** Reads queued. */
  int size() {
    return Math.max(0, size.get());
  }
}
