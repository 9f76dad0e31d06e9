/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which nodes show signs of Manx at work: tags on the reads that they send, facts on their answers.
 * A node in shadow mode shows them to others in shadow mode, but not to one that is on, for it
 * orders nothing. Any thread.
 */
public final class Signs {
  /** A node that showed no sign for this long counts as one without Manx. */
  static final long PEER_NANOS = 60_000_000_000L;

  /** How long an answer without a sign counts against a node that showed none since. */
  static final long WITHOUT_NANOS = 10_000_000_000L;

  // A node with Manx sends its facts ten times a second with its answers, if it answers at all.
  private static final long GRACE_NANOS = 10 * FactsPace.CALM_NANOS;

  private static final long NEVER = Long.MIN_VALUE;

  private final AtomicLongArray heard;
  private final AtomicLongArray silent;
  private volatile boolean anyWithout;

  /** For nodes 0 to {@code capacity - 1}. */
  public Signs(int capacity) {
    heard = new AtomicLongArray(capacity);
    silent = new AtomicLongArray(capacity);
    for (int node = 0; node < capacity; node++) {
      forget(node);
    }
  }

  /** Something of Manx came from a node. */
  public void heard(int node, long nowNanos) {
    heard.lazySet(node, nowNanos);
  }

  /** A node answered a read, and its answer carried nothing of Manx. */
  public void silent(int node, long nowNanos) {
    long last = silent.get(node);
    // A busy node answers thousands of reads a second, on several threads here.
    if (last == NEVER || nowNanos - last > FactsPace.CALM_NANOS) {
      silent.lazySet(node, nowNanos);
    }
  }

  /** Whether something of Manx came from a node within the last minute. */
  public boolean isPeer(int node, long nowNanos) {
    long last = heard.get(node);
    return last != NEVER && nowNanos - last < PEER_NANOS;
  }

  /**
   * Whether a node answers this one's reads without a sign of Manx. A node that answers none is not
   * known to be without.
   */
  public boolean isWithout(int node, long nowNanos) {
    long mute = silent.get(node);
    if (mute == NEVER || nowNanos - mute > WITHOUT_NANOS) {
      return false;
    }
    long last = heard.get(node);
    return last == NEVER || mute - last > GRACE_NANOS;
  }

  /** Looks anew whether any of some nodes is without Manx. */
  public void look(Collection<Integer> nodes, long nowNanos) {
    anyWithout = nodes.stream().anyMatch(node -> isWithout(node, nowNanos));
  }

  /** Whether any node was without Manx when {@link #look} last looked. */
  public boolean anyWithout() {
    return anyWithout;
  }

  /** Forgets a node, whose id another one may get. */
  public void forget(int node) {
    heard.set(node, NEVER);
    silent.set(node, NEVER);
  }
}
