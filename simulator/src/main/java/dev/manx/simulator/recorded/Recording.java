/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToIntFunction;

/**
 * The combined logs of a cluster's nodes. Immutable.
 *
 * <p>Means are weighted by arrivals: a log counts with its rate, not with its length.
 *
 * @param nodes addresses of all nodes named in a log, by number
 * @param logs logs of the nodes that have one, at least one
 * @param requests in no order, at least one
 */
public record Recording(List<String> nodes, List<NodeRecord> logs, List<RecordedRequest> requests) {
  /** Share of the reads with replicas in several datacenters from which such reads are kept. */
  public static final double MOST_REMOTE = 0.01;

  /** Copies the lists. */
  public Recording {
    nodes = List.copyOf(nodes);
    logs = List.copyOf(logs);
    requests = List.copyOf(requests);
  }

  /** Requests per second of all recorded coordinators together. */
  public double requestsPerSecond() {
    return logs.stream().mapToDouble(NodeRecord::requestsPerSecond).sum();
  }

  /**
   * The smallest share, over all logs, of the requests whose plan is in the log: the sample, or
   * less if plans or lines were lost. Requests of kinds that Manx does not plan do not count. A log
   * without requests does not lack any, even if it lost lines of reads.
   */
  public double plannedShare() {
    double[] planned = new double[nodes.size()];
    requests.forEach(request -> planned[request.coordinator()]++);
    return logs.stream()
        .filter(log -> log.requestsReceived() > 0)
        .mapToDouble(
            log ->
                Math.min(1, planned[log.node()] / log.requestsReceived()) * (1 - log.lostShare()))
        .min()
        .orElse(1);
  }

  /** Share of the planned reads that have replicas in several datacenters. */
  public double remoteShare() {
    return remoteShare(logs);
  }

  static double remoteShare(List<NodeRecord> logs) {
    double reads = logs.stream().mapToLong(log -> log.others().reads()).sum();
    return reads == 0 ? 0 : logs.stream().mapToLong(log -> log.others().remote()).sum() / reads;
  }

  /** Share of the requests whose kind Manx does not plan. */
  public double unplannedShare() {
    double planned = requestsPerSecond();
    double others =
        logs.stream().mapToDouble(log -> log.others().unplanned() * log.rateOfAnEnd()).sum();
    return others == 0 ? 0 : others / (planned + others);
  }

  /** Mean reads of a request. */
  public double meanReads() {
    return mean(RecordedRequest::reads);
  }

  /** Mean reads executed by replicas for a request. */
  public double meanExecutions() {
    return mean(request -> Arrays.stream(request.contacts()).sum());
  }

  /** Mean forecast size of reads at replicas. */
  public double meanBytes() {
    return meanOfExecutions((request, read) -> request.bytes()[read]);
  }

  /** Mean forecast service time of a read at a replica. */
  public double meanForecastNanos() {
    return meanOfExecutions((request, read) -> request.forecastNanos()[read]);
  }

  private double mean(ToIntFunction<RecordedRequest> value) {
    double[] weights = weights();
    double sum = 0;
    double all = 0;
    for (RecordedRequest request : requests) {
      sum += weights[request.coordinator()] * value.applyAsInt(request);
      all += weights[request.coordinator()];
    }
    return sum / all;
  }

  /** Requests per second that a plan of each coordinator represents; equal if no rate is known. */
  private double[] weights() {
    double[] planned = new double[nodes.size()];
    requests.forEach(request -> planned[request.coordinator()]++);
    double[] weights = new double[nodes.size()];
    for (NodeRecord log : logs) {
      if (planned[log.node()] > 0) {
        weights[log.node()] = log.requestsPerSecond() / planned[log.node()];
      }
    }
    if (Arrays.stream(weights).sum() == 0) {
      Arrays.fill(weights, 1);
    }
    return weights;
  }

  /** Mean of a value of the reads at replicas. */
  double meanOfExecutions(ToDoubleBiFunction<RecordedRequest, Integer> value) {
    double sum = 0;
    double executions = 0;
    double[] weights = weights();
    for (RecordedRequest request : requests) {
      double weight = weights[request.coordinator()];
      for (int read = 0; read < request.reads(); read++) {
        double contacts = weight * request.contacts()[read];
        sum += contacts * value.applyAsDouble(request, read);
        executions += contacts;
      }
    }
    return sum / executions;
  }

  /**
   * Mean time that a request takes on the read threads of each node, if each read asks the first of
   * its replicas in their recorded order.
   *
   * @param readNanos mean service time of a read with a given forecast at speed 1
   */
  double[] busyNanos(LongToDoubleFunction readNanos) {
    double[] weights = weights();
    double[] speeds = speeds();
    double[] sums = new double[nodes.size()];
    double all = 0;
    for (RecordedRequest request : requests) {
      double weight = weights[request.coordinator()];
      all += weight;
      for (int read = 0; read < request.reads(); read++) {
        double nanos = weight * readNanos.applyAsDouble(request.forecastNanos()[read]);
        for (int rank = 0; rank < request.contacts()[read]; rank++) {
          int node = request.replicas()[read][rank];
          sums[node] += nanos / speeds[node];
        }
      }
    }
    double requestsInAll = all;
    return Arrays.stream(sums).map(sum -> sum / requestsInAll).toArray();
  }

  /** Speed of each node relative to the average of the nodes with a log; 1 for nodes without. */
  public double[] speeds() {
    double[] speeds = new double[nodes.size()];
    Arrays.fill(speeds, 1);
    double mean = logs.stream().mapToDouble(NodeRecord::slowness).average().orElseThrow();
    logs.forEach(log -> speeds[log.node()] = mean / log.slowness());
    return speeds;
  }
}
