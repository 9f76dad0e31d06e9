/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.kind.UpkeepMeter.Upkeep;
import java.util.Arrays;

/**
 * The counts of a turn's nodes since the first sample of each, ended processes included. Confined
 * to one thread at a time.
 */
final class NodeSums {
  private static final ProcessSample.Node NOTHING =
      new ProcessSample.Node(0, 0, 0, 0, new Upkeep(0, 0));

  /** The process of each node at the last sample. */
  private final long[] pids;

  private final ProcessSample.Node[] last;

  /** The counts of the former processes of each node; null before the first sample. */
  private final ProcessSample.Node[] former;

  /**
   * Starts without samples.
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
   * Records a sample of a node.
   *
   * @param node from 0
   * @param counted counts of its process since its start; without effect if it has ended, so that
   *     its CPU time is unknown
   */
  void add(int node, long pid, ProcessSample.Node counted) {
    if (Double.isNaN(counted.cpuSeconds())
        || Double.isNaN(counted.upkeep().compilerSeconds())
        || Double.isNaN(counted.upkeep().collectorSeconds())) {
      return;
    }
    if (pid != pids[node]) {
      // All counts of a process started in this turn belong to the turn.
      pids[node] = pid;
      former[node] = last[node];
    } else if (former[node] == null) {
      // A node that could not be sampled at first has counts from before the turn.
      former[node] = NOTHING.minus(counted);
    }
    last[node] = former[node].plus(counted);
  }

  /** The counts by node; the last known ones for a node that could not be sampled. */
  ProcessSample.Node[] all() {
    return last.clone();
  }
}
