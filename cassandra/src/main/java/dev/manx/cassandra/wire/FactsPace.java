/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Decides when an answer to a peer carries facts: a few times a second while no reads queue, every
 * few milliseconds while some do, and rarely to a peer that shows no sign of Manx, just often
 * enough to find a peer that was upgraded. Any thread.
 */
public final class FactsPace {
  /** Least time between facts to a peer while reads wait anywhere. */
  public static final long BUSY_NANOS = 2_000_000;

  /** Least time between facts to a peer while none waits. */
  public static final long CALM_NANOS = 100_000_000;

  private static final long NEVER = Long.MIN_VALUE;

  private final AtomicLongArray sent;
  private final Signs signs;

  /**
   * Creates it for nodes 0 to {@code capacity - 1}.
   *
   * @param signs the nodes that show signs of Manx
   */
  public FactsPace(int capacity, Signs signs) {
    this.signs = signs;
    sent = new AtomicLongArray(capacity);
    for (int node = 0; node < capacity; node++) {
      forget(node);
    }
  }

  /** Whether the answer about to be sent to a peer carries facts; if so, this counts as sent. */
  public boolean isDue(int node, boolean busy, long nowNanos) {
    long last = sent.get(node);
    if (last != NEVER && nowNanos - last < interval(node, busy, nowNanos)) {
      return false;
    }
    return sent.compareAndSet(node, last, nowNanos);
  }

  private long interval(int node, boolean busy, long nowNanos) {
    return busy && signs.isPeer(node, nowNanos) ? BUSY_NANOS : CALM_NANOS;
  }

  /** Forgets a node, since another node may get its id. */
  public void forget(int node) {
    sent.set(node, NEVER);
  }
}
