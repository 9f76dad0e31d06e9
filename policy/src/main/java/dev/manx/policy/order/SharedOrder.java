/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * An {@link Order} for many threads: one lock, held for one operation of the order inside.
 *
 * <p>Linearizable, so a poll that follows k offers finds an op while fewer than k polls found one:
 * an executor that runs one {@code poll} per {@code offer} never comes back empty-handed. {@link
 * #swap} replaces the order while it is in use.
 *
 * <p>Any thread may call every method.
 */
public final class SharedOrder<T extends Op> {
  private final Object lock = new Object();

  // Ops that a swap could not place because the next order was too small; served first.
  private final FifoOrder<T> leftover = new FifoOrder<>(Integer.MAX_VALUE);

  private Order<T> order;
  private long sequence;

  /** Takes over the order, which nobody else may touch from now on. */
  public SharedOrder(Order<T> order) {
    this.order = order;
  }

  /** As {@link Order#offer}. */
  public boolean offer(T op) {
    synchronized (lock) {
      op.sequence = sequence++;
      return order.offer(op);
    }
  }

  /** As {@link Order#poll}; null only if nothing is queued. */
  public T poll(long nowNanos) {
    synchronized (lock) {
      T op = leftover.poll(nowNanos);
      return op == null ? order.poll(nowNanos) : op;
    }
  }

  /** As {@link Order#remove}. */
  public boolean remove(T op) {
    synchronized (lock) {
      return leftover.remove(op) || order.remove(op);
    }
  }

  /** Ops queued. */
  public int size() {
    synchronized (lock) {
      return leftover.size() + order.size();
    }
  }

  /** Sum of the forecasts of the ops queued, nanoseconds. */
  public long workNanos() {
    synchronized (lock) {
      return leftover.workNanos() + order.workNanos();
    }
  }

  /**
   * Goes on with another order. What is queued moves there in the order of its arrival; what the
   * next order refuses is kept aside and served first. Nothing is lost and nothing runs twice.
   *
   * <p>Others wait while it moves: some ten nanoseconds per op queued.
   *
   * @param next an empty order that nobody else may touch from now on
   */
  public void swap(Order<T> next) {
    synchronized (lock) {
      List<T> queued = drain(leftover, order);
      order = next;
      int placed = 0;
      try {
        while (placed < queued.size()) {
          T op = queued.get(placed);
          if (!next.offer(op)) {
            leftover.offer(op);
          }
          placed++;
        }
      } finally {
        // Only if a third party's order threw: what it did not take must still run.
        for (T op : queued.subList(placed, queued.size())) {
          if (op.home == null) {
            leftover.offer(op);
          }
        }
      }
    }
  }

  private static <T extends Op> List<T> drain(Order<T> leftover, Order<T> order) {
    List<T> queued = new ArrayList<>(leftover.size() + order.size());
    Order<T> acting = order instanceof ShadowOrder<T> shadow ? shadow.end() : order;
    for (Order<T> from : List.of(leftover, acting)) {
      for (T op = from.poll(0); op != null; op = from.poll(0)) {
        queued.add(op);
      }
    }
    queued.sort(Comparator.comparingLong(op -> op.sequence));
    return queued;
  }
}
