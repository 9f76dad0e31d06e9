/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.TurnWindow;
import dev.manx.load.Background;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.workload.RequestClass;
import dev.manx.workload.Workload;
import dev.manx.workload.WorkloadSpec;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A resolved experiment: every setting has a value.
 *
 * @param head the part common to all kinds
 * @param cluster the nodes
 * @param replicationFactor copies of each key in each datacenter
 * @param workload keys, values, popularity, fan-out, arrivals
 * @param client the driver's side
 * @param background other work of the nodes meanwhile
 * @param classes request classes reported in addition to {@code all}
 * @param loads loads, each measured separately
 * @param rounds turns of each arm, per load and seed
 * @param settleNanos load before the first round, divided among the arms and discarded, so that the
 *     nodes' JIT compilers finish
 * @param settleLoad the load during that time
 * @param warmUpNanos load discarded after each switch
 * @param window measured after the warm-up
 * @param events events at nodes in every turn
 * @param arms the arms, in the file's order
 * @param saturation the goal of a search for the highest throughput; null for none
 * @param text the resolved file; reading it gives an equal experiment
 */
public record ClusterExperiment(
    Head head,
    ClusterSettings cluster,
    int replicationFactor,
    WorkloadSpec workload,
    ClientSettings client,
    Background background,
    List<RequestClass> classes,
    List<Load> loads,
    int rounds,
    long settleNanos,
    Load settleLoad,
    long warmUpNanos,
    TurnWindow window,
    List<NodeEvent> events,
    List<ClusterArm> arms,
    SaturationGoal saturation,
    String text) {
  /**
   * The driver's side.
   *
   * @param consistency of measured reads
   * @param coordinators {@code driver-default} or {@code round-robin}
   * @param timeoutNanos of a request
   * @param maxOutstanding largest number in flight; further requests are counted but not sent
   */
  public record ClientSettings(
      String consistency, String coordinators, long timeoutNanos, int maxOutstanding) {}

  public ClusterExperiment {
    classes = List.copyOf(classes);
    loads = List.copyOf(loads);
    events = List.copyOf(events);
    arms = List.copyOf(arms);
  }

  /** Reads that the modelled read threads of all nodes can serve in a second; NaN if unmodelled. */
  public double capacityReadsPerSecond(Workload ready) {
    if (cluster.model() == null) {
      return Double.NaN;
    }
    double serviceNanos =
        cluster.model().baseNanos()
            + cluster.model().perKibNanos() * ready.meanBytesPerRead() / 1024;
    return cluster.model().speeds(servingNodes()) * cluster.concurrentReads() / serviceNanos * 1e9;
  }

  /** The nodes made unequal by the service model, in words; empty if none. */
  String unequalNodes() {
    return cluster.model() == null ? "" : ServiceModelReader.words(cluster.model());
  }

  /** Requests per second at a load; NaN in a closed loop, whose rate is measured. */
  public double requestsPerSecond(Load load, Workload ready) {
    if (!Double.isNaN(load.requestsPerSecond())) {
      return load.requestsPerSecond();
    }
    double replicaReads = ready.meanReadsPerRequest() * replicasPerRead();
    return load.fraction() * capacityReadsPerSecond(ready) / replicaReads;
  }

  /** The rate at which requests of a load are drawn; a closed loop ignores their times. */
  public double streamRate(Load load, Workload ready) {
    return load.isClosed() ? 1000 : requestsPerSecond(load, ready);
  }

  /**
   * The nodes that serve reads, by their numbers from 1: those that hold data; for most consistency
   * levels in the first datacenter only, where the clients are.
   */
  public IntStream servingNodes() {
    boolean everywhere = consistencyOfAllDatacenters();
    return IntStream.rangeClosed(1, cluster.dataNodes())
        .filter(node -> everywhere || cluster.topology().datacenterOf(node) == 1);
  }

  private boolean consistencyOfAllDatacenters() {
    return client.consistency().equals("quorum") || client.consistency().equals("all");
  }

  /** Number of replicas asked by each read at its consistency level. */
  public int replicasPerRead() {
    int replicas = replicationFactor * cluster.topology().datacenters();
    return switch (client.consistency()) {
      case "quorum" -> replicas / 2 + 1;
      case "local_quorum" -> replicationFactor / 2 + 1;
      case "all" -> replicas;
      default -> 1;
    };
  }
}
