/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An {@link Order} shared by many threads: the read queue of a node. Linearizable; {@code poll} is
 * null only when the queue is empty, so a caller that made k offers may make k polls and gets an op
 * each time.
 *
 * <p>An order that blocks does not hold other threads for long. {@link #swap}, {@link #limitWait},
 * {@link #size} and the counts never wait for it. A thread that offers or polls waits for a running
 * call for at most a second; then the order is given up and the listener gets a {@link
 * StuckOrderException}: queued ops are served first-in first-out, and offers are refused until the
 * next swap. If no other thread waits, {@link #look} detects the stuck call.
 */
/*
 * If an order throws, or does not return an op that it was offered, no op is lost: the oldest is
 * served instead. In shadow mode the line serves and the order is only consulted.
 *
 * Two locks, always taken in this order: the turn, held while the order's code runs, and the line's
 * lock, held for a few instructions. A lock-free structure could return null after a completed
 * offer, and a ticket that finds no op would strand a read.
 */
public final class SharedOrder<T extends Op> extends OrderLine<T> {
  private static final long HALF_BOUND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Consumer<Throwable> faults;
  private final long halfBoundNanos;

  /**
   * @param order the deciding order; from now on called by this object only
   * @param acting false for shadow mode: ops are served first-in first-out and the order is only
   *     compared
   * @param faults gets every throwable of the order; the op was then served first-in first-out
   */
  public SharedOrder(Order<T> order, boolean acting, Consumer<Throwable> faults) {
    this(order, acting, null, faults);
  }

  /**
   * @param watch observes the queue before some of the decisions; null for none
   */
  public SharedOrder(Order<T> order, boolean acting, OrderWatch watch, Consumer<Throwable> faults) {
    this(order, acting, watch, faults, HALF_BOUND_NANOS);
  }

  SharedOrder(
      Order<T> order,
      boolean acting,
      OrderWatch watch,
      Consumer<Throwable> faults,
      long halfBoundNanos) {
    super(new OrderSeat<>(order, acting, watch, halfBoundNanos));
    this.faults = faults;
    this.halfBoundNanos = halfBoundNanos;
  }

  /**
   * Queues an op, whose fields are set.
   *
   * @return false if the order is full, throws or is stuck; the op is then not queued
   */
  public boolean offer(T op) {
    while (true) {
      OrderSeat<T> now = seat();
      if (now.order == null) {
        return false;
      }
      if (now.enter()) {
        return offerInTurn(op, now);
      }
      giveUp(now);
    }
  }

  private boolean offerInTurn(T op, OrderSeat<T> now) {
    Throwable fault = null;
    boolean taken = false;
    try {
      taken = now.order.offer(op);
      if (taken) {
        add(op, now);
      }
    } catch (Throwable t) {
      fault = t;
    } finally {
      now.leave();
    }
    report(fault);
    return taken;
  }

  /** Takes the next op; null if none is queued. */
  public T poll(long nowNanos) {
    while (true) {
      OrderSeat<T> now = seat();
      T oldest = first();
      if (oldest == null) {
        return null;
      }
      T op = null;
      if (!now.holds(oldest)) {
        op = takeForeign();
      } else if (now.enter()) {
        op = pollInTurn(nowNanos, now);
      } else {
        giveUp(now);
      }
      if (op != null) {
        return op;
      }
    }
  }

  /** Returns null if the order no longer decides, or another poll took the last op. */
  private T pollInTurn(long nowNanos, OrderSeat<T> now) {
    T served = null;
    Throwable fault;
    OrderWatch.Dispatch dispatch;
    try {
      now.begin();
      T oldest = first();
      if (seat() == now && oldest != null && now.holds(oldest)) {
        served = choose(nowNanos, now);
      }
    } finally {
      fault = now.fault;
      dispatch = now.dispatch;
      now.leave();
    }
    if (dispatch != null) {
      try {
        dispatch.end();
      } catch (Throwable t) {
        fault = fault == null ? t : fault;
      }
    }
    report(fault);
    return served;
  }

  private T choose(long nowNanos, OrderSeat<T> now) {
    T wanted = null;
    try {
      now.passLimitOn();
      now.dispatch = watched(nowNanos, now);
      wanted = now.acting ? now.order.poll(nowNanos) : now.order.peek(nowNanos);
      now.count();
    } catch (Throwable t) {
      now.failed(t);
    }
    T served = take(wanted, now);
    if (served != null && !(now.acting && served == wanted)) {
      try {
        if (now.acting) {
          now.order.remove(served);
        } else {
          now.order.pass(served, nowNanos);
        }
      } catch (Throwable t) {
        // Harmless if the order still holds it: poll serves no op that has left the line.
        now.failed(t);
      }
    }
    return served;
  }

  /** Shows the queue to the watch, if it wants to observe this decision. */
  private OrderWatch.Dispatch watched(long nowNanos, OrderSeat<T> now) {
    if (now.watch == null) {
      return null;
    }
    try {
      OrderWatch.Dispatch dispatch = now.watch.before(nowNanos, size());
      if (dispatch != null) {
        now.order.reseed(dispatch.seed());
        show(dispatch, now);
      }
      return dispatch;
    } catch (Throwable t) {
      now.failed(t);
      return null;
    }
  }

  /** Called with the order's turn held, so that its ops do not change meanwhile. */
  @SuppressWarnings("unchecked") // the line holds offered ops only
  private void show(OrderWatch.Dispatch dispatch, OrderSeat<T> now) {
    for (Op op : queued()) {
      dispatch.queued(op, now.holds((T) op) ? now.order.memo((T) op) : Order.NO_MEMO);
    }
  }

  /**
   * Sets the longest wait that the host allows. Calls no code of the order: the next decision
   * passes it on.
   */
  public void limitWait(long nanos) {
    seat().limitWait(nanos);
  }

  /**
   * Gives the order up if the same call of it was running at this check and the last two. Called by
   * one thread, at intervals in which any call of an order ends.
   */
  public void look() {
    OrderSeat<T> now = seat();
    if (now.order != null && now.outlastsLooks()) {
      giveUp(now);
    }
  }

  private void giveUp(OrderSeat<T> stuck) {
    if (replace(stuck, new OrderSeat<>(null, true, null, halfBoundNanos))) {
      report(new StuckOrderException(stuck.order));
    }
  }

  // An op that left the queue must reach its caller, so an error thrown by the listener is handled
  // like an uncaught one.
  private void report(Throwable fault) {
    if (fault == null) {
      return;
    }
    try {
      faults.accept(fault);
    } catch (Throwable thrownOn) {
      CallingThread.uncaught(thrownOn);
    }
  }

  /**
   * Makes another order the deciding one; ops already queued are served before, first-in first-out.
   */
  public void swap(Order<T> next, boolean nextActs) {
    swap(next, nextActs, null);
  }

  /** As {@link #swap(Order, boolean)}, with another watch; null for none. */
  public void swap(Order<T> next, boolean nextActs, OrderWatch nextWatch) {
    seat(new OrderSeat<>(next, nextActs, nextWatch, halfBoundNanos));
  }
}
