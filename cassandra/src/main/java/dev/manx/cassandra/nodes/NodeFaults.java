/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Which nodes fail most of the reads they are sent, by faults of their own. Such a node must not
 * look idle because it fails at once; a node with one bad partition must keep its other reads.
 *
 * <p>Any thread; an update lost to another thread is one sample less.
 */
/*
 * A smoothed share of failures per node, in 1/1024. One failure of a node that otherwise answers says
 * nothing of its other reads. Where most fail, the node is to be avoided whatever the reason. The number
 * of failed reads that stay outstanding is bounded, so that their sum cannot hide what really is.
 */
public final class NodeFaults {
  /** Most failed reads of one node whose work stays outstanding at a time. */
  public static final int MOST_PENALTIES = 256;

  private static final int ALL = 1024;
  private static final int SHIFT = 5;

  private final AtomicIntegerArray share;
  private final AtomicIntegerArray penalties;

  /**
   * @param nodes node ids are below this
   */
  public NodeFaults(int nodes) {
    share = new AtomicIntegerArray(nodes);
    penalties = new AtomicIntegerArray(nodes);
  }

  /** A node answered a read. */
  public void answered(int node) {
    int failing = share.getPlain(node);
    if (failing != 0) {
      share.setOpaque(node, failing - ((failing + (1 << SHIFT) - 1) >> SHIFT));
    }
  }

  /**
   * A node failed a read by its own fault.
   *
   * @return whether the read's work is to stay outstanding; its end is then told by {@link
   *     #penaltyEnded}
   */
  public boolean failed(int node) {
    int failing = share.getPlain(node);
    failing += (ALL - failing + (1 << SHIFT) - 1) >> SHIFT;
    share.setOpaque(node, failing);
    if (failing <= ALL / 2) {
      return false;
    }
    if (penalties.incrementAndGet(node) > MOST_PENALTIES) {
      penalties.decrementAndGet(node);
      return false;
    }
    return true;
  }

  /** A failed read is outstanding no more. */
  public void penaltyEnded(int node) {
    penalties.decrementAndGet(node);
  }

  /** Failed reads of a node that stay outstanding. */
  public int penalties(int node) {
    return penalties.get(node);
  }

  /** Forgets a node that left; its penalties have ended before. */
  void forget(int node) {
    share.set(node, 0);
  }
}
