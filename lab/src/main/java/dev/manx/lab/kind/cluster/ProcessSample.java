/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.contention.proc.MachineTime;
import dev.manx.lab.kind.UpkeepMeter.Upkeep;
import dev.manx.local.cgroup.ProcessGroup.DiskReads;

/**
 * A sample of the cluster and the machine; all counters increase since some start.
 *
 * @param atNanos time of the sample, monotonic
 * @param nodes samples of the nodes, in order
 * @param clientCpuSeconds CPU time of this JVM
 * @param machine CPU time of the machine
 */
record ProcessSample(long atNanos, Node[] nodes, double clientCpuSeconds, MachineTime machine) {
  /**
   * One node.
   *
   * @param reads reads served by the model; all three are 0 without a model
   * @param wantedNanos intended sleep of the model
   * @param sleptNanos actual sleep of the model
   * @param cpuSeconds CPU time of the node's process
   * @param upkeep part of it used by compilers and collector
   * @param disk its reads of the disk; 0 unless its storage is limited
   */
  record Node(
      long reads,
      long wantedNanos,
      long sleptNanos,
      double cpuSeconds,
      Upkeep upkeep,
      DiskReads disk) {
    /** A node without limits of storage. */
    Node(long reads, long wantedNanos, long sleptNanos, double cpuSeconds, Upkeep upkeep) {
      this(reads, wantedNanos, sleptNanos, cpuSeconds, upkeep, new DiskReads(0, 0));
    }

    /** The sum of two processes of one node. */
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
          new Upkeep(
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
