/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Serves one order and keeps another beside it, to count how often the other would have chosen
 * differently.
 *
 * <p>Both see the same ops at the same time: what the acting order serves leaves the wanted order
 * too, so every decision is compared on the same queue. An op's links serve one order only; in the
 * wanted order a stand-in ranks for it, so an offer allocates. Counters may be read by any thread.
 */
public final class ShadowOrder<T extends Op> implements Order<T> {
  /** Ranks in the wanted order for an op that queues in the acting one. */
  public static final class StandIn extends Op {
    private final Op real;

    StandIn(Op real) {
      this.real = real;
      priority = real.priority;
      slack = real.slack;
      costNanos = real.costNanos;
      requestId = real.requestId;
      arrivalNanos = real.arrivalNanos;
    }
  }

  private final Order<T> acting;
  private final Order<StandIn> wanted;
  private final AtomicLong decisions = new AtomicLong();
  private final AtomicLong changed = new AtomicLong();

  /** Compares two empty orders. */
  public ShadowOrder(Order<T> acting, Order<StandIn> wanted) {
    this.acting = acting;
    this.wanted = wanted;
  }

  /** Ops served so far. */
  public long decisions() {
    return decisions.get();
  }

  /** How many of them the wanted order would not have served at that moment. */
  public long changed() {
    return changed.get();
  }

  @Override
  public boolean offer(T op) {
    if (!acting.offer(op)) {
      return false;
    }
    StandIn standIn = new StandIn(op);
    op.standIn = wanted.offer(standIn) ? standIn : null;
    return true;
  }

  @Override
  public T poll(long nowNanos) {
    StandIn best = wanted.peek(nowNanos);
    T op = acting.poll(nowNanos);
    if (op != null) {
      decisions.incrementAndGet();
      if (best != null && best.real != op) {
        changed.incrementAndGet();
      }
      forget(op);
    }
    return op;
  }

  @Override
  public T peek(long nowNanos) {
    return acting.peek(nowNanos);
  }

  @Override
  public boolean remove(T op) {
    if (!acting.remove(op)) {
      return false;
    }
    forget(op);
    return true;
  }

  @Override
  public int size() {
    return acting.size();
  }

  @Override
  public long workNanos() {
    return acting.workNanos();
  }

  @Override
  public int capacity() {
    return acting.capacity();
  }

  /** Stops comparing; the acting order still holds what is queued. */
  Order<T> end() {
    for (StandIn standIn = wanted.poll(0); standIn != null; standIn = wanted.poll(0)) {
      standIn.real.standIn = null;
    }
    return acting;
  }

  private void forget(T op) {
    if (op.standIn instanceof StandIn standIn) {
      wanted.remove(standIn);
      op.standIn = null;
    }
  }
}
