/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.hold.GatedReads;
import dev.manx.policy.hold.Permits;
import dev.manx.policy.hold.RoutedOp;

/** Releases reads in order of priority while one of their nodes has credit. */
final class CreditPermits implements Permits {
  private final CreditBuckets credits;
  private final CreditPreference prefer;
  private long grants;

  CreditPermits(CreditBuckets credits, CreditPreference prefer) {
    this.credits = credits;
    this.prefer = prefer;
    grants = credits.grants();
  }

  @Override
  public long rank(RoutedOp read) {
    return read.priority;
  }

  @Override
  public long opensAtNanos(int node) {
    return credits.opensAtNanos(node);
  }

  @Override
  public boolean isBetter(RoutedOp read, int node, int other, long nowNanos, ClusterView view) {
    return prefer.isBetter(
        view.outstandingWorkNanos(node),
        credits.available(node, nowNanos),
        view.outstandingWorkNanos(other),
        credits.available(other, nowNanos));
  }

  @Override
  public void spend(RoutedOp read, long nowNanos) {
    credits.spend(read.node, read.costNanos, nowNanos);
  }

  /** A grant changes the credit at every node. */
  @Override
  public void reportChanges(GatedReads<?> held, long nowNanos) {
    long latest = credits.grants();
    if (latest != grants) {
      grants = latest;
      held.allChanged(nowNanos);
    }
  }
}
