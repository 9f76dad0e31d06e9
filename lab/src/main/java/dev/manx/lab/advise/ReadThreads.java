/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.policy.record.Executed;
import dev.manx.simulator.recorded.NodeRecord;
import dev.manx.simulator.recorded.Recording;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The load of the nodes' read threads as recorded, for reads of any coordinator.
 *
 * @param readNanos mean time of a read on its thread
 * @param busy share of the time that the threads were busy, mean of the nodes that execute reads
 * @param busiest the node with the largest share
 */
record ReadThreads(double readNanos, double busy, Busy busiest) {
  /** A node's share. */
  record Busy(String node, double share) {}

  /**
   * The load in a recording; empty if no log has an executed read.
   *
   * @param threads of nodes whose log does not name their number
   */
  static Optional<ReadThreads> of(Recording recording, int threads) {
    List<NodeRecord> logs =
        recording.logs().stream().filter(log -> !log.executed().isEmpty()).toList();
    List<Busy> nodes = logs.stream().map(log -> busy(log, threads)).toList();
    return nodes.stream()
        .max(Comparator.comparingDouble(Busy::share))
        .map(
            busiest ->
                new ReadThreads(
                    readNanos(logs),
                    nodes.stream().mapToDouble(Busy::share).average().orElseThrow(),
                    busiest));
  }

  /** A log counts with its rate, not with its length. */
  private static double readNanos(List<NodeRecord> logs) {
    double reads = 0;
    double nanos = 0;
    for (NodeRecord log : logs) {
      reads += log.rateOfAnEnd() * log.executed().size();
      nanos += log.rateOfAnEnd() * log.executed().stream().mapToLong(Executed::serviceNanos).sum();
    }
    return nanos / reads;
  }

  private static Busy busy(NodeRecord log, int threads) {
    int own = log.readThreads() > 0 ? log.readThreads() : threads;
    return new Busy(log.name(), log.readsAtATime() / own);
  }
}
