/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Detects nodes that fail most of their reads through their own fault. Such a node must not look
 * idle because it fails at once; a node with one bad partition must keep its other reads.
 *
 * <p>Any thread; an update lost to another thread is one sample less.
 */
/*
 * A smoothed share of failures per node, in 1/1024. One failure of a node that otherwise answers is
 * not evidence about its other reads. If most reads fail, the node should be avoided whatever the
 * reason. The number of failed reads that stay outstanding is bounded, so that their sum cannot
 * hide the true load.
 */
public final class NodeFaults {
  /** Most failed reads of one node whose work stays outstanding at one time. */
  public static final int MOST_PENALTIES = 256;

  private static final int ALL = 1024;
  private static final int SHIFT = 5;

  private final AtomicIntegerArray share;
  private final AtomicIntegerArray penalties;
  private final AtomicInteger all = new AtomicInteger();

  /**
   * @param nodes node ids are below this
   */
  public NodeFaults(int nodes) {
    share = new AtomicIntegerArray(nodes);
    penalties = new AtomicIntegerArray(nodes);
  }

  /** Records that a node answered a read. */
  public void answered(int node) {
    int failing = share.getPlain(node);
    if (failing != 0) {
      share.setOpaque(node, failing - ((failing + (1 << SHIFT) - 1) >> SHIFT));
    }
  }

  /**
   * Records that a node failed a read through its own fault.
   *
   * @return whether the read's work should stay outstanding; its end is then reported to {@link
   *     #penaltyEnded}
   */
  public boolean failed(int node) {
    int failing = share.getPlain(node);
    failing += (ALL - failing + (1 << SHIFT) - 1) >> SHIFT;
    share.setOpaque(node, failing);
    if (!failsMost(node)) {
      return false;
    }
    if (penalties.incrementAndGet(node) > MOST_PENALTIES) {
      penalties.decrementAndGet(node);
      return false;
    }
    all.incrementAndGet();
    return true;
  }

  /** Whether most of a node's recent reads failed through its own fault. */
  public boolean failsMost(int node) {
    return share.getPlain(node) > ALL / 2;
  }

  /** Records that a failed read is no longer outstanding. */
  public void penaltyEnded(int node) {
    penalties.decrementAndGet(node);
    all.decrementAndGet();
  }

  /** Whether failed reads of any node stay outstanding. */
  public boolean anyPenalty() {
    return all.get() > 0;
  }

  /** Number of a node's failed reads that stay outstanding. */
  public int penalties(int node) {
    return penalties.get(node);
  }

  /** Forgets a node that left; its penalties have ended before. */
  void forget(int node) {
    share.set(node, 0);
  }
}
