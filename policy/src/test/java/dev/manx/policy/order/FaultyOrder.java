/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/** First-in first-out, with a given fault. */
final class FaultyOrder extends DelegatingOrder {
  /** The fault in a poll; offers of ops with priority 3 also throw. */
  enum Fault {
    /** It throws. */
    THROWS,
    /** It returns no op. */
    GIVES_NONE,
    /** It returns an op that it was not offered. */
    GIVES_FOREIGN
  }

  private final Fault fault;

  FaultyOrder(Fault fault) {
    super(new ListOrder(8, false));
    this.fault = fault;
  }

  @Override
  public boolean offer(TestOp op) {
    if (op.priority == 3) {
      throw new IllegalStateException("offer");
    }
    return inside.offer(op);
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
}
