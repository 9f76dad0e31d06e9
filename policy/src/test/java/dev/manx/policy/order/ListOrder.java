/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import java.util.ArrayList;
import java.util.List;

/** The simplest possible order, without static members: Lincheck does not track records. */
final class ListOrder implements Order<TestOp> {
  private final List<TestOp> ops = new ArrayList<>();
  private final int capacity;
  private final boolean byPriority;

  ListOrder(int capacity, boolean byPriority) {
    this.capacity = capacity;
    this.byPriority = byPriority;
  }

  @Override
  public boolean offer(TestOp op) {
    if (ops.size() >= capacity) {
      return false;
    }
    ops.add(op);
    return true;
  }

  @Override
  public TestOp poll(long nowNanos) {
    TestOp op = peek(nowNanos);
    ops.remove(op);
    return op;
  }

  @Override
  public TestOp peek(long nowNanos) {
    TestOp best = ops.isEmpty() ? null : ops.get(0);
    for (TestOp op : ops) {
      best = byPriority && op.priority < best.priority ? op : best;
    }
    return best;
  }

  @Override
  public boolean remove(TestOp op) {
    return ops.remove(op);
  }

  @Override
  public int size() {
    return ops.size();
  }

  @Override
  public long workNanos() {
    long sum = 0;
    for (TestOp op : ops) {
      sum += op.costNanos;
    }
    return sum;
  }

  @Override
  public int capacity() {
    return capacity;
  }
}
