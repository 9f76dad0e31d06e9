/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The ops of a {@link SharedOrder} by arrival, and which order decides about them. No code of an
 * order runs here, so nothing here waits for one. Any thread.
 */
/*
 * The line is what is true: an op that the order gives back is served only if it is still in the line
 * under this order, for the order may have been swapped or given up while it was being asked. So a
 * strategy can be swapped while reads are queued: those of the old one go first, first-in first-out.
 */
abstract class OrderLine<T extends Op> {
  private final ReentrantLock lock = new ReentrantLock();
  private final OpList<T> ops = new OpList<>();
  // All below are written with the lock held.
  private volatile OrderSeat<T> seat;
  private volatile long decisions;
  private volatile long changed;
  private volatile long drained;

  OrderLine(OrderSeat<T> first) {
    seat = first;
  }

  /** The order that decides, with its turn. */
  final OrderSeat<T> seat() {
    return seat;
  }

  /** Has another decide from now on. */
  final void seat(OrderSeat<T> next) {
    lock.lock();
    try {
      seat = next;
    } finally {
      lock.unlock();
    }
  }

  /** Has another decide if this one still does; whether it did. */
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

  /** Adds an op that the order of a seat has taken. */
  final void add(T op, OrderSeat<T> taken) {
    lock.lock();
    try {
      ops.add(op, taken);
    } finally {
      lock.unlock();
    }
  }

  /** The oldest op if the order of the moment does not hold it; else null. */
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

  /** Takes what the order wants out of the line, else the oldest; null if the line is empty. */
  final T take(T wanted, OrderSeat<T> now) {
    lock.lock();
    try {
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

  /** Ops queued. */
  public final int size() {
    return ops.size();
  }

  /** Sum of the forecasts of the ops queued, nanoseconds. */
  public final long workNanos() {
    return ops.workNanos();
  }

  /** Polls that the order decided, or in shadow mode was asked about. */
  public final long decisions() {
    return decisions;
  }

  /** Decisions that were not the oldest op. */
  public final long changed() {
    return changed;
  }

  /**
   * Polls served first-in first-out because the op was of an earlier order or the order gave none
   * back.
   */
  public final long drained() {
    return drained;
  }
}
