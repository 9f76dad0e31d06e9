/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.HeldReads;
import dev.manx.policy.hold.RoutedOp;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/** Lets reads go in order of priority while some node of theirs has credit. */
final class CreditGate<T extends RoutedOp> implements Gate<T> {
  private final CreditBuckets credits;
  private final int capacity;
  private final HeldReads<T> held;
  private final IntPredicate isOpen = node -> credits().available(node, now()) > 0;
  private final IntToLongFunction opensAt = node -> credits().creditAtNanos(node, now());
  private long nowNanos;

  CreditGate(CreditBuckets credits, int capacity, boolean longestFirst) {
    this.credits = credits;
    this.capacity = capacity;
    held = new HeldReads<>(longestFirst);
  }

  @Override
  public boolean offer(T read) {
    if (held.size() >= capacity) {
      return false;
    }
    held.add(read, read.priority);
    return true;
  }

  @Override
  public T release(long now, ClusterView view) {
    if (held.size() == 0) {
      return null;
    }
    nowNanos = now;
    T read = held.best(isOpen);
    if (read != null) {
      held.remove(read);
      read.node = richest(read);
      credits.spend(read.node, read.costNanos);
    }
    return read;
  }

  private int richest(T read) {
    int best = read.nodes[0];
    for (int i = 1; i < read.nodeCount; i++) {
      if (credits.available(read.nodes[i], nowNanos) > credits.available(best, nowNanos)) {
        best = read.nodes[i];
      }
    }
    return best;
  }

  @Override
  public long nextReleaseNanos(long now) {
    nowNanos = now;
    return held.least(opensAt);
  }

  @Override
  public boolean remove(T read) {
    return held.remove(read);
  }

  @Override
  public int size() {
    return held.size();
  }

  private CreditBuckets credits() {
    return credits;
  }

  private long now() {
    return nowNanos;
  }
}
