/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.kind.ProcStat;
import java.util.Arrays;

/**
 * What the nodes of a turn have counted since each was first asked, processes that have ended
 * included. Confined to one thread at a time.
 */
final class NodeSums {
  private static final ProcessSample.Node NOTHING =
      new ProcessSample.Node(0, 0, 0, 0, new ProcStat.Upkeep(0, 0));

  /** The process of each node when it was last asked. */
  private final long[] pids;

  private final ProcessSample.Node[] last;

  /** What the former processes of each node had counted; null until it is asked. */
  private final ProcessSample.Node[] former;

  /**
   * Nothing yet.
   *
   * @param pids the process of each node at the start of the turn
   */
  NodeSums(long[] pids) {
    this.pids = pids.clone();
    last = new ProcessSample.Node[pids.length];
    former = new ProcessSample.Node[pids.length];
    Arrays.fill(last, NOTHING);
  }

  /**
   * A node has been asked.
   *
   * @param node from 0
   * @param counted by its process since that began
   */
  void add(int node, long pid, ProcessSample.Node counted) {
    if (pid != pids[node]) {
      // All that a process of this turn counts is of the turn.
      pids[node] = pid;
      former[node] = last[node];
    } else if (former[node] == null) {
      // One that could not be asked at first has counted much before the turn.
      former[node] = NOTHING.minus(counted);
    }
    last[node] = former[node].plus(counted);
  }

  /** By node; of one that could not be asked, what it had counted when it last could. */
  ProcessSample.Node[] all() {
    return last.clone();
  }
}
