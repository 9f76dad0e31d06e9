/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Tracks the nodes that show signs of Manx: tags on their reads, facts on their answers, Manx's own
 * messages. A node with Manx is a peer in any mode. It acts for this node unless it is in shadow
 * mode and this node is on: a node in shadow mode does not order reads, so to a node that is on it
 * is like a node without Manx. It also tracks when each node last answered a read. Any thread.
 */
public final class Signs {
  /** A node that showed no sign for this long is not a peer. */
  static final long PEER_NANOS = 60_000_000_000L;

  /** How long an answer without a sign counts against a node that has shown none since. */
  static final long WITHOUT_NANOS = 10_000_000_000L;

  /**
   * The time without any node lacking Manx, after which no node counts as without. A node whose
   * breaker opens and closes would otherwise change the way the others read each time.
   */
  static final long SETTLED_NANOS = 10_000_000_000L;

  // A node with Manx adds its facts to answers ten times a second, if it answers at all.
  static final long GRACE_NANOS = 10 * FactsPace.CALM_NANOS;

  // A busy node answers thousands of reads a second, on several threads here.
  static final long ANSWER_GRAIN_NANOS = 100_000;

  private static final long NEVER = Long.MIN_VALUE;

  private final AtomicLongArray heard;
  private final AtomicLongArray acted;
  // The first and the last answer without a sign since the last answer with a sign.
  private final AtomicLongArray mute;
  private final AtomicLongArray silent;
  private final AtomicLongArray answered;
  private final Without withoutNear = new Without();
  private final Without withoutAnywhere = new Without();

  /** Creates it for nodes 0 to {@code capacity - 1}. */
  public Signs(int capacity) {
    heard = new AtomicLongArray(capacity);
    acted = new AtomicLongArray(capacity);
    mute = new AtomicLongArray(capacity);
    silent = new AtomicLongArray(capacity);
    answered = new AtomicLongArray(capacity);
    for (int node = 0; node < capacity; node++) {
      forget(node);
    }
  }

  /**
   * Records a sign of Manx from a node.
   *
   * @param acts whether it acts for this node
   */
  public void heard(int node, boolean acts, long nowNanos) {
    heard.lazySet(node, nowNanos);
    if (acts) {
      acted.lazySet(node, nowNanos);
      mute.lazySet(node, NEVER);
    }
  }

  /** Records an answer of a node without a sign of one that acts for this node. */
  public void silent(int node, long nowNanos) {
    long last = silent.get(node);
    // A busy node answers thousands of reads a second, on several threads here.
    if (last == NEVER || nowNanos - last > FactsPace.CALM_NANOS) {
      silent.lazySet(node, nowNanos);
    }
    if (mute.get(node) == NEVER || last == NEVER || nowNanos - last > WITHOUT_NANOS) {
      mute.lazySet(node, nowNanos);
    }
  }

  /** Records that a node has served a read. */
  public void answered(int node, long nowNanos) {
    long last = answered.get(node);
    if (last == NEVER || nowNanos - last >= ANSWER_GRAIN_NANOS) {
      answered.lazySet(node, nowNanos);
    }
  }

  /** Whether a node has served a read within a time, to a tenth of a millisecond. */
  public boolean answeredWithin(int node, long nanos, long nowNanos) {
    long last = answered.get(node);
    return last != NEVER && nowNanos - last <= nanos;
  }

  /** Whether a sign of Manx, in any mode, came from a node within the last minute. */
  public boolean isPeer(int node, long nowNanos) {
    return isRecent(heard.get(node), nowNanos);
  }

  /** Whether a sign of Manx, in any mode, came from a node within a time. */
  public boolean heardWithin(int node, long nanos, long nowNanos) {
    long last = heard.get(node);
    return last != NEVER && nowNanos - last < nanos;
  }

  /** Whether a sign came within the last minute from a node that acts for this one. */
  public boolean acts(int node, long nowNanos) {
    return isRecent(acted.get(node), nowNanos);
  }

  private static boolean isRecent(long last, long nowNanos) {
    return last != NEVER && nowNanos - last < PEER_NANOS;
  }

  /**
   * Whether a node has answered this node's reads for a second without a sign of an active Manx.
   * False for a node that answers no reads.
   */
  public boolean isWithout(int node, long nowNanos) {
    long first = mute.get(node);
    long last = silent.get(node);
    return first != NEVER
        && last != NEVER
        && nowNanos - last <= WITHOUT_NANOS
        && last - first > GRACE_NANOS;
  }

  /**
   * Updates whether any node is without Manx. Called by one thread.
   *
   * @param near the nodes of this node's datacenter
   * @param all the nodes of all datacenters
   */
  public void look(Collection<Integer> near, Collection<Integer> all, long nowNanos) {
    withoutNear.look(near, nowNanos);
    withoutAnywhere.look(all, nowNanos);
  }

  /**
   * Whether any node was without Manx at the last calls of {@link #look}, which cover ten seconds.
   *
   * @param near whether only nodes of this node's datacenter count
   */
  public boolean anyWithout(boolean near) {
    return (near ? withoutNear : withoutAnywhere).any;
  }

  /** Whether any of some nodes was without Manx lately. */
  private final class Without {
    // Used by the looking thread only.
    private long last = NEVER;
    private volatile boolean any;

    void look(Collection<Integer> nodes, long nowNanos) {
      for (int node : nodes) {
        if (isWithout(node, nowNanos)) {
          last = nowNanos;
          break;
        }
      }
      any = last != NEVER && nowNanos - last < SETTLED_NANOS;
    }
  }

  /** Records that a node died or restarted, and may return without Manx. */
  public void ended(int node) {
    heard.set(node, NEVER);
    acted.set(node, NEVER);
    answered.set(node, NEVER);
  }

  /** Forgets a node, since another node may get its id. */
  public void forget(int node) {
    ended(node);
    mute.set(node, NEVER);
    silent.set(node, NEVER);
  }
}
