/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/** First-in first-out, but for what it does wrong. */
final class FaultyOrder extends DelegatingOrder {
  /** What goes wrong in a poll; offers of ops with priority 3 throw too. */
  enum Fault {
    /** It throws. */
    THROWS,
    /** It gives nothing back. */
    GIVES_NONE,
    /** It gives an op back that it was not offered. */
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
