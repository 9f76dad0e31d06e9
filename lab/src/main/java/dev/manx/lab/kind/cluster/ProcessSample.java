/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.kind.ProcStat;
import dev.manx.local.cgroup.ProcessGroup.DiskReads;

/**
 * The cluster and the machine at one moment; everything counts up since some start.
 *
 * @param atNanos when, monotonic
 * @param nodes one each, in order
 * @param clientCpuSeconds CPU time of this JVM
 * @param machine CPU time of the machine
 */
record ProcessSample(
    long atNanos, Node[] nodes, double clientCpuSeconds, ProcStat.Machine machine) {
  /**
   * One node.
   *
   * @param reads reads that the model has served; all three 0 without a model
   * @param wantedNanos sleep that the model wanted
   * @param sleptNanos sleep that it got
   * @param cpuSeconds CPU time of the node's process
   * @param upkeep how much of that was the compilers' and the collector's
   * @param disk its reads of the disk; 0 unless its storage is limited
   */
  record Node(
      long reads,
      long wantedNanos,
      long sleptNanos,
      double cpuSeconds,
      ProcStat.Upkeep upkeep,
      DiskReads disk) {
    /** Of a node whose storage is not limited. */
    Node(long reads, long wantedNanos, long sleptNanos, double cpuSeconds, ProcStat.Upkeep upkeep) {
      this(reads, wantedNanos, sleptNanos, cpuSeconds, upkeep, new DiskReads(0, 0));
    }

    /** What two processes of the same node counted together. */
    Node plus(Node other) {
      return plus(other, 1);
    }

    /** The difference of two counts. */
    Node minus(Node other) {
      return plus(other, -1);
    }

    private Node plus(Node other, int sign) {
      return new Node(
          reads + sign * other.reads,
          wantedNanos + sign * other.wantedNanos,
          sleptNanos + sign * other.sleptNanos,
          cpuSeconds + sign * other.cpuSeconds,
          new ProcStat.Upkeep(
              upkeep.compilerSeconds() + sign * other.upkeep.compilerSeconds(),
              upkeep.collectorSeconds() + sign * other.upkeep.collectorSeconds()),
          new DiskReads(
              disk.count() + sign * other.disk.count(), disk.bytes() + sign * other.disk.bytes()));
    }
  }

  /** Share of a node's read threads that slept in the model between two samples. */
  static double utilisation(ProcessSample from, ProcessSample to, int node, int concurrentReads) {
    double slept = to.nodes[node].sleptNanos - from.nodes[node].sleptNanos;
    return slept / ((double) (to.atNanos - from.atNanos) * concurrentReads);
  }
}
