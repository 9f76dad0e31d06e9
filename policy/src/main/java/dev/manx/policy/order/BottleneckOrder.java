/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * {@code order.bottleneck}: the op whose request has the smallest bottleneck first, in arrival
 * order among equals, and no op waits longer than {@code max-wait} behind later ones.
 *
 * <p>Once the oldest op has waited {@code max-wait} it goes first, so with work arriving no faster
 * than it is served every op starts within about that bound plus what was queued before it. Every
 * operation takes constant time, but for the insertion walk of {@code longest-first} (at most 128
 * steps).
 *
 * <p>Source: shortest bottleneck first, Rein (EuroSys'17) and EqualMax, BRB section 2.1.
 * Deviations: priorities are quantised to a quarter of their value (see {@link Buckets}); reads of
 * one request that share a bucket run costliest first if the request asked for it; the bounded
 * wait.
 */
public final class BottleneckOrder<T extends Op> implements Order<T> {
  private final Arrivals arrivals = new Arrivals();
  private final Buckets buckets = new Buckets();
  private final int capacity;
  private final long maxWaitNanos;

  /**
   * An empty order.
   *
   * @param capacity most ops queued at once
   * @param maxWaitNanos after this wait the oldest op goes first
   */
  public BottleneckOrder(int capacity, long maxWaitNanos) {
    this.capacity = capacity;
    this.maxWaitNanos = maxWaitNanos;
  }

  @Override
  public boolean offer(T op) {
    if (arrivals.size() >= capacity) {
      return false;
    }
    arrivals.add(op, this);
    buckets.add(op);
    return true;
  }

  @Override
  public T poll(long nowNanos) {
    T op = peek(nowNanos);
    if (op != null) {
      take(op);
    }
    return op;
  }

  // Only ops of type T are ever offered.
  @SuppressWarnings("unchecked")
  @Override
  public T peek(long nowNanos) {
    Op oldest = arrivals.oldest();
    if (oldest == null || nowNanos - oldest.arrivalNanos >= maxWaitNanos) {
      return (T) oldest;
    }
    return (T) buckets.head();
  }

  @Override
  public boolean remove(T op) {
    if (op.home != this) {
      return false;
    }
    take(op);
    return true;
  }

  @Override
  public int size() {
    return arrivals.size();
  }

  @Override
  public long workNanos() {
    return arrivals.workNanos();
  }

  @Override
  public int capacity() {
    return capacity;
  }

  private void take(Op op) {
    buckets.remove(op);
    arrivals.remove(op);
  }
}
