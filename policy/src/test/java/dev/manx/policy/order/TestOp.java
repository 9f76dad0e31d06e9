/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/** An op with a name. */
public final class TestOp extends Op {
  public final String name;

  public TestOp(String name, long priority, long costNanos) {
    this.name = name;
    this.priority = priority;
    this.costNanos = costNanos;
  }

  static TestOp of(String name, long priority, long costNanos, long requestId) {
    TestOp op = new TestOp(name, priority, costNanos);
    op.requestId = requestId;
    return op;
  }

  @Override
  public String toString() {
    return name;
  }
}
