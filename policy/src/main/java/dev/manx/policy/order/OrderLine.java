/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The ops of a {@link SharedOrder} by arrival, and the order that decides about them. It calls no
 * code of an order, so it never waits for one. Any thread.
 */
/*
 * The line is authoritative: an op that the order returns is served only if it is still in the line
 * under this order, since the order may have been swapped or given up during the call. So a
 * strategy can be swapped while reads are queued: those of the old strategy go first, first-in
 * first-out.
 */
abstract class OrderLine<T extends Op> {
  private final ReentrantLock lock = new ReentrantLock();
  private final OpList<T> ops = new OpList<>();
  // All fields below are written with the lock held.
  private volatile OrderSeat<T> seat;
  private volatile long decisions;
  private volatile long changed;
  private volatile long drained;
  private volatile long cuts;
  private volatile long overloaded;
  private volatile long servedLong;

  OrderLine(OrderSeat<T> first) {
    seat = first;
  }

  /** The deciding order, with its turn. */
  final OrderSeat<T> seat() {
    return seat;
  }

  /** Makes another order the deciding one. */
  final void seat(OrderSeat<T> next) {
    lock.lock();
    try {
      seat = next;
    } finally {
      lock.unlock();
    }
  }

  /** Makes another order the deciding one if this one still is; returns whether it did. */
  final boolean replace(OrderSeat<T> old, OrderSeat<T> next) {
    lock.lock();
    try {
      if (seat != old) {
        return false;
      }
      seat = next;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The oldest op; null if there is none. */
  final T first() {
    return ops.first();
  }

  /** Adds an op that a seat's order has accepted. */
  final void add(T op, OrderSeat<T> taken) {
    lock.lock();
    try {
      ops.add(op, taken);
    } finally {
      lock.unlock();
    }
  }

  /** The oldest op if the present order does not hold it; otherwise null. */
  final T takeForeign() {
    lock.lock();
    try {
      T oldest = ops.first();
      if (oldest == null || seat.holds(oldest)) {
        return null;
      }
      drained = drained + 1;
      ops.remove(oldest);
      return oldest;
    } finally {
      lock.unlock();
    }
  }

  /** Removes the order's choice from the line, or else the oldest op; null if the line is empty. */
  final T take(T wanted, OrderSeat<T> now) {
    lock.lock();
    try {
      if (now.newCuts > 0) {
        cuts = cuts + now.newCuts;
      }
      if (now.newOverloaded > 0) {
        overloaded = overloaded + now.newOverloaded;
      }
      if (now.newLong > 0) {
        servedLong = servedLong + now.newLong;
      }
      T oldest = ops.first();
      if (oldest == null) {
        return null;
      }
      boolean ours = wanted != null && wanted.offeredTo == now;
      decisions = decisions + 1;
      if (ours) {
        changed = changed + (wanted == oldest ? 0 : 1);
        chose(wanted, now);
      } else if (now.fault == null) {
        drained = drained + 1;
      }
      T served = ours && now.acting ? wanted : oldest;
      ops.remove(served);
      return served;
    } finally {
      lock.unlock();
    }
  }

  private void chose(T wanted, OrderSeat<T> now) {
    if (now.dispatch != null) {
      try {
        now.dispatch.chose(ops.place(wanted));
      } catch (Throwable t) {
        now.failed(t);
      }
    }
  }

  /** All ops, the oldest first. */
  final List<Op> queued() {
    List<Op> queued = new ArrayList<>();
    lock.lock();
    try {
      ops.forEach(queued::add);
    } finally {
      lock.unlock();
    }
    return queued;
  }

  /** Number of queued ops. */
  public final int size() {
    return ops.size();
  }

  /** Sum of the forecasts of the queued ops, in nanoseconds. */
  public final long workNanos() {
    return ops.workNanos();
  }

  /** Polls that the order decided, or was consulted about in shadow mode. */
  public final long decisions() {
    return decisions;
  }

  /** Decisions for an op other than the oldest. */
  public final long changed() {
    return changed;
  }

  /**
   * Polls served first-in first-out because the op belonged to an earlier order or the order
   * returned none.
   */
  public final long drained() {
    return drained;
  }

  /** Polls that took an op because it had waited for {@code max-wait}. */
  public final long cuts() {
    return cuts;
  }

  /** Polls while the order's queue counted as overloaded. */
  public final long overloaded() {
    return overloaded;
  }

  /** Polls while the order's queue was long, but not overloaded. */
  public final long servedLong() {
    return servedLong;
  }
}
