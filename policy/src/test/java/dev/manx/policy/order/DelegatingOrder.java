/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/** Passes every call on to another order; a test overrides some of them. */
abstract class DelegatingOrder implements Order<TestOp> {
  final Order<TestOp> inside;

  DelegatingOrder(Order<TestOp> inside) {
    this.inside = inside;
  }

  @Override
  public boolean offer(TestOp op) {
    return inside.offer(op);
  }

  @Override
  public TestOp poll(long nowNanos) {
    return inside.poll(nowNanos);
  }

  @Override
  public TestOp peek(long nowNanos) {
    return inside.peek(nowNanos);
  }

  @Override
  public boolean remove(TestOp op) {
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
