/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.GatedReads;
import dev.manx.policy.hold.RoutedOp;

/** Lets reads go, each replica group first-in first-out, as the rates of their nodes allow. */
final class RateGate<T extends RoutedOp> implements Gate<T> {
  private final C3RateControlSelector selector;
  private final int capacity;
  private final GatedReads<T> held;

  RateGate(C3RateControlSelector selector, int capacity) {
    this.selector = selector;
    this.capacity = capacity;
    held = new GatedReads<>(false, selector::opensAtNanos);
  }

  @Override
  public boolean offer(T read) {
    if (held.size() >= capacity) {
      return false;
    }
    held.add(read, 0, read.arrivalNanos);
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
      selector.spend(read.node, now);
      held.changed(read.node, now);
    }
    return read;
  }

  private int choose(T read, long now, ClusterView view) {
    boolean waited = read.arrivalNanos != now;
    int best = -1;
    double least = 0;
    for (int i = 0; i < read.nodeCount; i++) {
      int node = read.nodes[i];
      if (selector.opensAtNanos(node) <= now) {
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

  /** Answers change rates. */
  private void hear(long now) {
    for (int node = selector.nextChanged(); node >= 0; node = selector.nextChanged()) {
      held.changed(node, now);
    }
  }
}
