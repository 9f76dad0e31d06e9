/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.hold.GatedReads;
import dev.manx.policy.hold.Permits;
import dev.manx.policy.hold.RoutedOp;

/**
 * Releases reads, first-in first-out within each replica group, as the rates of their nodes allow.
 */
final class RatePermits implements Permits {
  private final C3RateControlSelector selector;

  RatePermits(C3RateControlSelector selector) {
    this.selector = selector;
  }

  @Override
  public long rank(RoutedOp read) {
    return 0;
  }

  @Override
  public long opensAtNanos(int node) {
    return selector.opensAtNanos(node);
  }

  /**
   * A read that has not waited goes to the node that it was ranked for; nodes are passed in that
   * order.
   */
  @Override
  public boolean isBetter(RoutedOp read, int node, int other, long nowNanos, ClusterView view) {
    return read.arrivalNanos != nowNanos
        && selector.score(node, view, nowNanos) < selector.score(other, view, nowNanos);
  }

  @Override
  public void spend(RoutedOp read, long nowNanos) {
    selector.spend(read.node, nowNanos);
  }

  /** Answers change rates. */
  @Override
  public void reportChanges(GatedReads<?> held, long nowNanos) {
    for (int node = selector.nextChanged(); node >= 0; node = selector.nextChanged()) {
      held.changed(node, nowNanos);
    }
  }
}
