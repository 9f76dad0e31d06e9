/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e.nasty;

import dev.manx.policy.order.FifoOrder;
import dev.manx.policy.order.Op;
import dev.manx.policy.order.Order;

/**
 * Cannot be created, returns null, throws, leaves much garbage, does not return, or returns late
 * when Manx creates it.
 */
final class NastyOrder<T extends Op> implements Order<T> {
  private final FifoOrder<T> inside = new FifoOrder<>(1_000);
  private final String does;

  NastyOrder(String does) {
    this.does = does;
    if (does.equals("throw-when-made")) {
      throw new IllegalStateException("nasty");
    }
    if (does.equals("linger-when-made-again")
        && Thread.currentThread().getName().startsWith("manx-")) {
      NastyPolicies.linger();
    }
  }

  @Override
  public boolean offer(T op) {
    if (does.equals("block-offer")) {
      NastyPolicies.block();
    }
    return inside.offer(op);
  }

  @Override
  public T poll(long nowNanos) {
    switch (does) {
      case "allocate" -> NastyPolicies.allocate();
      case "block" -> NastyPolicies.block();
      case "throw" -> throw new IllegalStateException("nasty");
      case "nothing" -> {
        return null;
      }
      default -> {}
    }
    return inside.poll(nowNanos);
  }

  @Override
  public T peek(long nowNanos) {
    return inside.peek(nowNanos);
  }

  @Override
  public boolean remove(T op) {
    return inside.remove(op);
  }

  @Override
  public int size() {
    return inside.size();
  }

  @Override
  public long workNanos() {
    return inside.workNanos();
  }

  @Override
  public int capacity() {
    return inside.capacity();
  }
}
