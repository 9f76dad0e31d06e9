/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.GatedReads;
import dev.manx.policy.hold.RoutedOp;

/** Lets reads go in order of priority while some node of theirs has credit. */
final class CreditGate<T extends RoutedOp> implements Gate<T> {
  private final CreditBuckets credits;
  private final CreditPreference prefer;
  private final int capacity;
  private final GatedReads<T> held;
  private long grants;

  CreditGate(CreditBuckets credits, CreditPreference prefer, int capacity, boolean longestFirst) {
    this.credits = credits;
    this.prefer = prefer;
    this.capacity = capacity;
    held = new GatedReads<>(longestFirst, credits::opensAtNanos);
    grants = credits.grants();
  }

  @Override
  public boolean offer(T read) {
    if (held.size() >= capacity) {
      return false;
    }
    held.add(read, read.priority, read.arrivalNanos);
    return true;
  }

  @Override
  public T release(long now, ClusterView view) {
    if (held.size() == 0) {
      return null;
    }
    hear(now);
    T read = held.best(now);
    if (read != null) {
      held.remove(read);
      read.node = choose(read, now, view);
      credits.spend(read.node, read.costNanos, now);
      held.changed(read.node, now);
    }
    return read;
  }

  private int choose(T read, long now, ClusterView view) {
    int best = -1;
    long leastWork = 0;
    double mostCredit = 0;
    for (int i = 0; i < read.nodeCount; i++) {
      int node = read.nodes[i];
      if (credits.opensAtNanos(node) <= now) {
        double credit = credits.available(node, now);
        long work = view.outstandingWorkNanos(node);
        if (best < 0 || prefer.isBetter(work, credit, leastWork, mostCredit)) {
          best = node;
          leastWork = work;
          mostCredit = credit;
        }
      }
    }
    return best;
  }

  @Override
  public long nextReleaseNanos(long now) {
    hear(now);
    return held.nextNanos(now);
  }

  @Override
  public boolean remove(T read) {
    return held.remove(read);
  }

  @Override
  public int size() {
    return held.size();
  }

  /** A grant changes the credit at every node. */
  private void hear(long now) {
    long latest = credits.grants();
    if (latest != grants) {
      grants = latest;
      held.allChanged(now);
    }
  }
}
