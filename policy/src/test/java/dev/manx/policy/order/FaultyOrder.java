/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/** First-in first-out, but for what it does wrong. */
final class FaultyOrder implements Order<TestOp> {
  /** What goes wrong in a poll; offers of ops with priority 3 throw too. */
  enum Fault {
    /** It throws. */
    THROWS,
    /** It gives nothing back. */
    GIVES_NONE,
    /** It gives an op back that it was not offered. */
    GIVES_FOREIGN
  }

  private final ListOrder ops;
  private final Fault fault;

  FaultyOrder(Fault fault) {
    this.fault = fault;
    ops = new ListOrder(8, false);
  }

  @Override
  public boolean offer(TestOp op) {
    if (op.priority == 3) {
      throw new IllegalStateException("offer");
    }
    return ops.offer(op);
  }

  @Override
  public TestOp poll(long nowNanos) {
    return switch (fault) {
      case THROWS -> throw new IllegalStateException("poll");
      case GIVES_NONE -> null;
      case GIVES_FOREIGN -> new TestOp("foreign", 1, 1);
    };
  }

  @Override
  public TestOp peek(long nowNanos) {
    return poll(nowNanos);
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
    return ops.workNanos();
  }

  @Override
  public int capacity() {
    return ops.capacity();
  }
}
