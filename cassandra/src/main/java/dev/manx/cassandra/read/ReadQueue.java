/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.policy.order.Order;
import dev.manx.policy.order.OrderWatch;
import dev.manx.policy.order.SharedOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The waiting reads: those with a rank in the order, and those without a rank in a separate queue,
 * where they wait in turn. Any thread; {@link #poll} is null only when the queue is empty.
 */
/*
 * A place in line is a turn, not a read. A read without a rank is served when as many reads have
 * been served as were queued when it arrived; the order decides which ranked reads are among them.
 * So the order moves ranked reads among their own turns, and the others wait as long as in arrival
 * order: a stream of scans neither overtakes multigets nor is overtaken by them. Any rank would do
 * one of the two, since on a node that is always busy a rank is absolute.
 *
 * If other nodes have Manx, multigets of a coordinator without it wait behind all the reads that
 * planned requests send at once; if no node had Manx, they would wait behind one read of each paged
 * request. In arrival order they would thus become slower. So their reads wait for one read of each
 * queued request, as if the requests took turns. They take these turns from ranked reads: at most
 * 26 for each of them, and never two in a row while ranked reads wait. The places of range and
 * index reads do not change.
 */
final class ReadQueue {
  /** Most reads without a rank; a strategy's order has a separate bound. */
  static final int MOST_IN_TURN = 65_536;

  private final SharedOrder<QueuedRead> ranked;
  private final AtomicLong served = new AtomicLong();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicLong offered = new AtomicLong();
  // Whether the last served read overtook others; racing threads may allow it twice.
  private volatile boolean overtook;
  private final QueuedRequests requests = new QueuedRequests();
  private final ReadsInTurn inTurn = new ReadsInTurn();

  /** Creates an empty queue; the arguments are those of {@link SharedOrder}. */
  ReadQueue(Order<QueuedRead> order, boolean acting, OrderWatch watch, Consumer<Throwable> faults) {
    ranked = new SharedOrder<>(order, acting, watch, faults);
  }

  /** The queue of ranked reads, for its counts. */
  SharedOrder<QueuedRead> ranked() {
    return ranked;
  }

  /**
   * Switches to another strategy's order; ranked reads already queued are served before its reads.
   */
  void swap(Order<QueuedRead> order, boolean acting, OrderWatch watch) {
    ranked.swap(order, acting, watch);
  }

  /** Queues a read; false if there is no room, or the order does not accept it. */
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
      // A read arrived on the first side while the second was checked: check again.
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

  /** Number of requests with ranked reads. */
  int requests() {
    return requests.count();
  }

  /** Reads queued. */
  int size() {
    return Math.max(0, size.get());
  }
}
