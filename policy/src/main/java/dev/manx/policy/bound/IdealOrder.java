/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.bound;

import dev.manx.policy.hold.HeldReads;
import dev.manx.policy.hold.RoutedOp;

/**
 * Exactly the smallest priority first among the reads that a node may serve; among equals in
 * arrival order, or by request and within a request costliest first.
 */
final class IdealOrder<T extends RoutedOp> implements GlobalOrder<T> {
  private final HeldReads<T> held;

  IdealOrder(boolean longestFirst) {
    held = new HeldReads<>(longestFirst);
  }

  @Override
  public void offer(T read) {
    held.add(read, read.priority);
  }

  @Override
  public T poll(int node) {
    T best = held.best(node);
    if (best != null) {
      held.remove(best);
      best.node = node;
    }
    return best;
  }

  @Override
  public boolean hasWork(int node) {
    return held.best(node) != null;
  }

  @Override
  public int size() {
    return held.size();
  }
}
