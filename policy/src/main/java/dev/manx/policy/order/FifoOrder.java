/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import dev.manx.policy.spi.PolicyInfo;

/** {@code order.fifo}: arrival order, every operation in constant time. */
public final class FifoOrder<T extends Op> implements Order<T> {
  static final PolicyInfo POLICY =
      PolicyInfo.named("order.fifo", "arrival order")
          .source("baseline")
          .settings(AgedOrder.CAPACITY)
          .make(s -> new FifoOrder<>(s.whole("capacity")));

  private final ArrivalList arrivals = new ArrivalList();
  private final int capacity;

  /**
   * Creates an empty order.
   *
   * @param capacity most ops queued at once
   */
  public FifoOrder(int capacity) {
    this.capacity = capacity;
  }

  @Override
  public boolean offer(T op) {
    if (arrivals.size() >= capacity) {
      return false;
    }
    arrivals.add(op, this);
    return true;
  }

  @Override
  public T poll(long nowNanos) {
    T op = peek(nowNanos);
    if (op != null) {
      arrivals.remove(op);
    }
    return op;
  }

  // Only ops of type T are ever offered.
  @SuppressWarnings("unchecked")
  @Override
  public T peek(long nowNanos) {
    return (T) arrivals.oldest();
  }

  @Override
  public boolean remove(T op) {
    if (op.home != this) {
      return false;
    }
    arrivals.remove(op);
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
}
