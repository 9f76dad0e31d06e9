/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

import dev.manx.policy.facts.ClusterView;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * Holds reads back at their coordinator until a node may have them, and chooses that node.
 *
 * <p>The coordinator offers every planned read in the order of sending, then calls {@link #release}
 * until it returns null, and again at {@link #nextReleaseNanos}, after every answer and after every
 * tick. A read leaves exactly once, by {@code release} or {@code remove}. Sequential: one gate
 * belongs to one coordinator, whose calls come one at a time; its permits may change at any time.
 *
 * @param <T> the coordinator's read
 */
public final class Gate<T extends RoutedOp> {
  private static final int MOST_LEFT = 64;

  private final Permits permits;
  private final int capacity;
  private final GatedReads<T> held;
  // Held reads by arrival, including some that have left.
  private final ArrayDeque<T> oldest = new ArrayDeque<>();
  private LongSupplier agedAfter;

  /**
   * Creates an empty gate.
   *
   * @param capacity most held reads
   * @param longestFirst whether to serve equal ranks by request id, and reads of one request
   *     costliest first
   */
  public Gate(Permits permits, int capacity, boolean longestFirst) {
    this.permits = permits;
    this.capacity = capacity;
    held = new GatedReads<>(longestFirst, permits::opensAtNanos);
  }

  /**
   * Lets reads that have waited for some time go before all others, in the order of their arrival:
   * otherwise a steady stream of reads of better rank could keep a read here. Called before the
   * first read is offered.
   *
   * @param nanos that time, at the moment of the call
   */
  public void agesAfter(LongSupplier nanos) {
    agedAfter = nanos;
  }

  /**
   * Adds a read whose priority, cost, arrival and nodes are set.
   *
   * @return false if the gate is full: the caller sends the read to its first node at once
   */
  public boolean offer(T read) {
    if (held.size() >= capacity) {
      return false;
    }
    held.add(read, permits.rank(read), read.arrivalNanos);
    if (agedAfter != null) {
      remember(read);
    }
    return true;
  }

  private void remember(T read) {
    if (oldest.size() >= 2 * held.size() + MOST_LEFT) {
      oldest.removeIf(one -> one.group == null);
    }
    oldest.add(read);
  }

  private void age(long nowNanos) {
    long nanos = agedAfter.getAsLong();
    for (T read = oldest.peek();
        read != null && (read.group == null || nowNanos - read.arrivalNanos >= nanos);
        read = oldest.peek()) {
      oldest.poll();
      if (held.remove(read)) {
        held.add(read, Long.MIN_VALUE, nowNanos);
      }
    }
  }

  /**
   * The next read that may go now, with {@link RoutedOp#node} set; null if all must wait. A read
   * that is no longer awaited leaves without a node, and without a permit.
   */
  public T release(long nowNanos, ClusterView view) {
    if (agedAfter != null) {
      age(nowNanos);
    }
    while (held.size() > 0) {
      permits.reportChanges(held, nowNanos);
      T read = held.best(nowNanos);
      if (read == null) {
        return null;
      }
      if (!read.isAwaited()) {
        held.remove(read);
        return read;
      }
      int node = choose(read, nowNanos, view);
      if (node >= 0) {
        held.remove(read);
        read.node = node;
        permits.spend(read, nowNanos);
        held.changed(node, nowNanos);
        return read;
      }
      // An answer on another thread has closed its nodes since the check.
      for (int i = 0; i < read.nodeCount; i++) {
        held.changed(read.nodes[i], nowNanos);
      }
    }
    return null;
  }

  /** The best open node of a read; -1 if none is open. */
  private int choose(T read, long nowNanos, ClusterView view) {
    int best = -1;
    for (int i = 0; i < read.nodeCount; i++) {
      int node = read.nodes[i];
      if (permits.opensAtNanos(node) <= nowNanos
          && (best < 0 || permits.isBetter(read, node, best, nowNanos, view))) {
        best = node;
      }
    }
    return best;
  }

  /**
   * When {@link #release} may return a read without a preceding event; {@link Long#MAX_VALUE} if no
   * read waits or only an event can open a node.
   */
  public long nextReleaseNanos(long nowNanos) {
    permits.reportChanges(held, nowNanos);
    return held.nextNanos(nowNanos);
  }

  /**
   * Removes a held read, at any place in the queue.
   *
   * @return false if it is not held here
   */
  public boolean remove(T read) {
    return held.remove(read);
  }

  /** Number of held reads. */
  public int size() {
    return held.size();
  }
}
