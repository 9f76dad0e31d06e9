/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.Load;
import dev.manx.load.Background;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.workload.RequestClass;
import dev.manx.workload.Workload;
import dev.manx.workload.WorkloadSpec;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An experiment, resolved: every setting has its value.
 *
 * @param head what it says as every kind does
 * @param cluster the nodes
 * @param replicationFactor copies of each key in each datacenter
 * @param workload keys, values, popularity, fan-out, arrivals
 * @param client the driver's side
 * @param background what else the nodes do meanwhile
 * @param classes request classes reported beside {@code all}
 * @param loads how much is asked, each measured on its own
 * @param rounds times that each arm has its turn, per load and seed
 * @param settleNanos load before the first round, shared out among the arms and discarded, so that
 *     the nodes' compilers have done their work
 * @param settleLoad how much is asked then
 * @param warmUpNanos discarded after each switch
 * @param windowNanos measured after it; 0 if {@code requests} says how long
 * @param requests expected requests of a window; 0 if {@code windowNanos} says how long
 * @param events what happens to nodes in every turn
 * @param arms the arms, in the file's order
 * @param saturation the goal of a search for the highest throughput; null for none
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
    long windowNanos,
    long requests,
    List<NodeEvent> events,
    List<ClusterArm> arms,
    SaturationGoal saturation) {
  /**
   * The driver's side.
   *
   * @param consistency of measured reads
   * @param coordinators {@code driver-default} or {@code round-robin}
   * @param timeoutNanos of a request
   * @param maxOutstanding requests beyond it are not sent but counted
   */
  public record ClientSettings(
      String consistency, String coordinators, long timeoutNanos, int maxOutstanding) {}

  /** Copies the lists. */
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

  /** Which nodes the service model makes unequal, in words; empty if none. */
  String unequalNodes() {
    return cluster.model() == null ? "" : ServiceModelReader.words(cluster.model());
  }

  /** Requests per second at a load; NaN in a closed loop, whose rate is what is measured. */
  public double requestsPerSecond(Load load, Workload ready) {
    if (!Double.isNaN(load.requestsPerSecond())) {
      return load.requestsPerSecond();
    }
    double replicaReads = ready.meanReadsPerRequest() * replicasPerRead();
    return load.fraction() * capacityReadsPerSecond(ready) / replicaReads;
  }

  /** The rate at which requests of a load are drawn; a closed loop does not wait for its times. */
  public double streamRate(Load load, Workload ready) {
    return load.isClosed() ? 1000 : requestsPerSecond(load, ready);
  }

  /** Length of the measured window at a rate. */
  public long windowNanos(double requestsPerSecond) {
    return windowNanos > 0 ? windowNanos : Math.round(requests / requestsPerSecond * 1e9);
  }

  /**
   * The nodes that serve reads, by their numbers from 1: those that hold data, at most consistency
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

  /** Replicas that each read asks at its consistency level. */
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
