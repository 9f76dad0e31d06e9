/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

/** A read with a name. */
public final class TestRead extends RoutedOp {
  public final String name;
  boolean awaited = true;

  public TestRead(String name, long priority, long costNanos, int... nodes) {
    this.name = name;
    this.priority = priority;
    this.costNanos = costNanos;
    for (int node : nodes) {
      addNode(node);
    }
  }

  @Override
  public boolean isAwaited() {
    return awaited;
  }

  @Override
  public String toString() {
    return name;
  }
}
