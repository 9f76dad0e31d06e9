/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * An {@link Order} that many threads use: what a node queues its reads in. Linearizable; {@code
 * poll} is null only when nothing is queued, so whoever made k offers may make k polls and finds an
 * op each time.
 */
/*
 * Beside the order stands a list of all queued ops by arrival. It makes three things simple that a
 * guest needs. A strategy can be swapped while reads are queued: those of the old one go first, first-in
 * first-out. An order that throws, or does not give back what it was offered, loses nothing: the oldest
 * op is served instead. In shadow mode the list serves and the order is only asked what it would do.
 *
 * One lock guards both. The sections are a few dozen instructions, so even at 100,000 reads a second it
 * is busy for about one percent of the time; a lock-free bucket array could answer null while an offer
 * had completed, and a ticket that finds nothing would strand a read.
 */
public final class SharedOrder<T extends Op> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Consumer<Throwable> faults;
  private Order<T> order;
  private boolean acting;
  private OrderWatch watch;
  private T first;
  private T last;
  private int queued;
  private long work;
  private long decisions;
  private long changed;
  private long drained;

  /**
   * @param order what decides; from now on called by this object alone
   * @param acting false for shadow mode: first-in first-out serves, the order is only compared
   * @param faults gets every throwable of the order; the op was then served first-in first-out
   */
  public SharedOrder(Order<T> order, boolean acting, Consumer<Throwable> faults) {
    this(order, acting, null, faults);
  }

  /**
   * @param watch sees what is queued before some of the decisions; null for nobody
   */
  public SharedOrder(Order<T> order, boolean acting, OrderWatch watch, Consumer<Throwable> faults) {
    this.order = order;
    this.acting = acting;
    this.watch = watch;
    this.faults = faults;
  }

  /**
   * Queues an op, whose fields are set.
   *
   * @return false if the order is full or throws; the op is then not queued
   */
  public boolean offer(T op) {
    lock.lock();
    try {
      if (!offered(op)) {
        return false;
      }
      op.offeredTo = order;
      op.earlier = last;
      op.later = null;
      if (last == null) {
        first = op;
      } else {
        last.later = op;
      }
      last = op;
      queued++;
      work += op.costNanos;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean offered(T op) {
    try {
      return order.offer(op);
    } catch (Throwable t) {
      faults.accept(t);
      return false;
    }
  }

  /** Takes the next op; null if none is queued. */
  public T poll(long nowNanos) {
    OrderWatch.Dispatch dispatch = null;
    T op;
    lock.lock();
    try {
      if (first == null) {
        return null;
      }
      // What an earlier order held is not decided about.
      dispatch = first.offeredTo == order ? watched(nowNanos) : null;
      op = choose(nowNanos, dispatch);
      unlink(op);
    } finally {
      lock.unlock();
    }
    if (dispatch != null) {
      ended(dispatch);
    }
    return op;
  }

  private void ended(OrderWatch.Dispatch dispatch) {
    try {
      dispatch.end();
    } catch (RuntimeException e) {
      // The op is out of the queue already: it must reach its caller.
      faults.accept(e);
    }
  }

  /** Shows the queue to the watch, if it wants to see this decision. */
  @SuppressWarnings("unchecked")
  private OrderWatch.Dispatch watched(long nowNanos) {
    if (watch == null) {
      return null;
    }
    try {
      OrderWatch.Dispatch dispatch = watch.before(nowNanos, queued);
      if (dispatch != null) {
        order.reseed(dispatch.seed());
        for (T op = first; op != null; op = (T) op.later) {
          dispatch.queued(op, op.offeredTo == order ? order.memo(op) : Order.NO_MEMO);
        }
      }
      return dispatch;
    } catch (RuntimeException e) {
      faults.accept(e);
      return null;
    }
  }

  private T choose(long nowNanos, OrderWatch.Dispatch dispatch) {
    T oldest = first;
    if (oldest.offeredTo != order) {
      drained++;
      return oldest;
    }
    try {
      decisions++;
      T wanted = acting ? order.poll(nowNanos) : order.peek(nowNanos);
      if (wanted == null || wanted.offeredTo != order) {
        drained++;
        order.remove(oldest);
        return oldest;
      }
      if (wanted != oldest) {
        changed++;
      }
      if (dispatch != null) {
        dispatch.chose(place(wanted));
      }
      if (acting) {
        return wanted;
      }
      order.remove(oldest);
    } catch (Throwable t) {
      forget(oldest);
      faults.accept(t);
    }
    return oldest;
  }

  @SuppressWarnings("unchecked")
  private int place(T wanted) {
    int place = 0;
    for (T op = first; op != wanted; op = (T) op.later) {
      place++;
    }
    return place;
  }

  /** Takes an op that is served without the order out of it, if the order can. */
  private void forget(T op) {
    try {
      order.remove(op);
    } catch (RuntimeException e) {
      // It threw before; poll takes no op that has left the list.
    }
  }

  @SuppressWarnings("unchecked")
  private void unlink(T op) {
    T earlier = (T) op.earlier;
    T later = (T) op.later;
    if (earlier == null) {
      first = later;
    } else {
      earlier.later = later;
    }
    if (later == null) {
      last = earlier;
    } else {
      later.earlier = earlier;
    }
    op.earlier = null;
    op.later = null;
    op.offeredTo = null;
    queued--;
    work -= op.costNanos;
  }

  /**
   * Decides by another order from now on; what is queued is served before it, first-in first-out.
   */
  public void swap(Order<T> next, boolean nextActs) {
    swap(next, nextActs, null);
  }

  /** The same, with another watch; null for nobody. */
  public void swap(Order<T> next, boolean nextActs, OrderWatch nextWatch) {
    lock.lock();
    try {
      order = next;
      acting = nextActs;
      watch = nextWatch;
    } finally {
      lock.unlock();
    }
  }

  /** Ops queued. */
  public int size() {
    lock.lock();
    try {
      return queued;
    } finally {
      lock.unlock();
    }
  }

  /** Sum of the forecasts of the ops queued, nanoseconds. */
  public long workNanos() {
    lock.lock();
    try {
      return work;
    } finally {
      lock.unlock();
    }
  }

  /** Polls that the order decided, or in shadow mode was asked about. */
  public long decisions() {
    lock.lock();
    try {
      return decisions;
    } finally {
      lock.unlock();
    }
  }

  /** Decisions that were not the oldest op. */
  public long changed() {
    lock.lock();
    try {
      return changed;
    } finally {
      lock.unlock();
    }
  }

  /** How often the order in use served an op because it had waited for {@code max-wait}. */
  public long cuts() {
    lock.lock();
    try {
      return order.cuts();
    } catch (RuntimeException e) {
      faults.accept(e);
      return 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Polls served first-in first-out because the op was of an earlier order or the order gave none
   * back.
   */
  public long drained() {
    lock.lock();
    try {
      return drained;
    } finally {
      lock.unlock();
    }
  }
}
