/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.HeldReads;
import dev.manx.policy.hold.RoutedOp;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/** Lets reads go, each replica group first-in first-out, as the rates of their nodes allow. */
final class RateGate<T extends RoutedOp> implements Gate<T> {
  private final C3RateControlSelector selector;
  private final int capacity;
  private final HeldReads<T> held = new HeldReads<>(false);
  private final IntPredicate isOpen = this::isOpen;
  private final IntToLongFunction opensAt = this::opensAt;
  private long nowNanos;

  RateGate(C3RateControlSelector selector, int capacity) {
    this.selector = selector;
    this.capacity = capacity;
  }

  @Override
  public boolean offer(T read) {
    if (held.size() >= capacity) {
      return false;
    }
    held.add(read, 0);
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
      read.node = choose(read, view);
      selector.spend(read.node, now);
    }
    return read;
  }

  private int choose(T read, ClusterView view) {
    boolean waited = read.arrivalNanos != nowNanos;
    int best = -1;
    double least = 0;
    for (int i = 0; i < read.nodeCount; i++) {
      int node = read.nodes[i];
      if (isOpen(node)) {
        double score = waited ? selector.score(node, view) : i;
        if (best < 0 || score < least) {
          best = node;
          least = score;
        }
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

  private boolean isOpen(int node) {
    return opensAt(node) <= nowNanos;
  }

  private long opensAt(int node) {
    return selector.opensAtNanos(node, nowNanos);
  }
}
