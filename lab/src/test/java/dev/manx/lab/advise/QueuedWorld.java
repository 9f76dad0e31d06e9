/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.policy.record.Executed;
import dev.manx.policy.record.PlanPaging;
import dev.manx.policy.record.RequestEnd;
import dev.manx.simulator.recorded.ArrivalShape;
import dev.manx.simulator.recorded.NodeRecord;
import dev.manx.simulator.recorded.RecordedRequest;
import dev.manx.simulator.recorded.RecordedSpec;
import dev.manx.simulator.recorded.Recording;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Recordings of three nodes of two read threads: requests of five reads arrive at random, each read
 * goes to the first replica of its key, and a node serves its reads in their order. So a model that
 * plays the recorded requests in arrival order is exact, and each latency is that of its request.
 */
final class QueuedWorld {
  private static final int NODES = 3;
  private static final int THREADS = 2;
  private static final int READS = 5;
  private static final long SERVICE_NANOS = 10_300_000;
  private static final long ONE_WAY_NANOS = 500_000;
  private static final double SETTLED_NANOS = 5e9;

  private static final int[][] REPLICAS = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
  private static final int[] CONTACTS = all(1);
  private static final int[] BYTES = all(1_000);
  private static final long[] FORECASTS =
      LongStream.generate(() -> SERVICE_NANOS).limit(READS).toArray();

  private QueuedWorld() {}

  /** A request as it was served. */
  private record Served(RecordedRequest request, long latencyNanos, List<Executed> executed) {
    Stream<Executed> at(int node) {
      return IntStream.range(0, READS)
          .filter(read -> request.replicas()[read][0] == node)
          .mapToObj(executed::get);
    }
  }

  /** Requests that arrive at random, and the nodes that serve their reads. */
  private static final class Queue {
    final SplittableRandom random;
    final int[] homes = new int[READS];
    final double[] begins = new double[READS];
    final double[] services = new double[READS];
    private final double gapNanos;
    private final double[][] free = new double[NODES][THREADS];
    double nowNanos;

    Queue(double load, long seed) {
      random = new SplittableRandom(seed);
      gapNanos = SERVICE_NANOS * (double) READS / (load * NODES * THREADS);
    }

    /** Lets time pass until the next request arrives. */
    void arrive() {
      nowNanos += -gapNanos * Math.log(1 - random.nextDouble());
    }

    /** Draws and serves the reads of a request that has arrived; returns its latency. */
    double serve() {
      double end = 0;
      for (int read = 0; read < READS; read++) {
        int home = random.nextInt(NODES);
        double service = SERVICE_NANOS * (0.9 + 0.2 * random.nextDouble());
        double begin = Math.max(nowNanos + ONE_WAY_NANOS, free[home][0]);
        free[home][0] = begin + service;
        Arrays.sort(free[home]);
        end = Math.max(end, begin + service + ONE_WAY_NANOS);
        homes[read] = home;
        begins[read] = begin;
        services[read] = service;
      }
      return end - nowNanos;
    }
  }

  /** The recording of a number of requests, of a cluster that has served its load for a while. */
  static Recording recording(double load, int requests, long seed) {
    List<Served> served = served(load, requests, seed);
    List<RecordedRequest> plans = served.stream().map(Served::request).toList();
    long from = plans.get(0).atNanos();
    long span = plans.get(plans.size() - 1).atNanos() - from;
    List<NodeRecord> logs = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      int own = node;
      logs.add(
          new NodeRecord(
              node,
              name(node),
              Optional.empty(),
              OptionalLong.of(0),
              1,
              from,
              span,
              8,
              THREADS,
              served.stream().flatMap(one -> one.at(own)).toList(),
              served.stream()
                  .filter(one -> one.request().coordinator() == own)
                  .map(
                      one ->
                          new RequestEnd(
                              one.request().atNanos() + one.latencyNanos(),
                              READS,
                              one.latencyNanos(),
                              false,
                              1,
                              false,
                              true))
                  .toList(),
              NodeRecord.Engine.UNKNOWN,
              new NodeRecord.Others(0, (long) READS * requests, 0),
              new NodeRecord.Lines(3L * requests, 0, true, true)));
    }
    return new Recording(List.of(name(0), name(1), name(2)), logs, plans);
  }

  /** The exact model of a recording. */
  static ClusterModel model(Recording recording) {
    return model(recording, ArrivalShape.of(recording));
  }

  /** The exact model, except for the arrivals. */
  static ClusterModel model(Recording recording, ArrivalShape shape) {
    return new ClusterModel(
        new RecordedSpec(recording, 1 << 16, shape.compared()),
        shape,
        THREADS,
        ONE_WAY_NANOS,
        recording.requestsPerSecond(),
        Stock.RECORDED);
  }

  /** The P99 of very many requests, in nanoseconds. */
  static double p99(double load) {
    Queue queue = new Queue(load, 1);
    double[] latencies = new double[400_000];
    for (int i = 0; i < latencies.length; ) {
      queue.arrive();
      latencies[i] = queue.serve();
      i += queue.nowNanos >= SETTLED_NANOS ? 1 : 0;
    }
    Arrays.sort(latencies);
    return latencies[latencies.length / 100 * 99];
  }

  private static List<Served> served(double load, int requests, long seed) {
    Queue queue = new Queue(load, seed);
    List<Served> served = new ArrayList<>();
    while (served.size() < requests) {
      queue.arrive();
      Served one = served(queue);
      if (queue.nowNanos >= SETTLED_NANOS) {
        served.add(one);
      }
    }
    return served;
  }

  private static Served served(Queue queue) {
    long[] hashes = queue.random.longs(READS).toArray();
    long latency = Math.round(queue.serve());
    int[][] replicas = new int[READS][];
    List<Executed> executed = new ArrayList<>();
    for (int read = 0; read < READS; read++) {
      replicas[read] = REPLICAS[queue.homes[read]];
      executed.add(
          new Executed(
              Math.round(queue.begins[read]),
              0,
              Math.round(queue.services[read]),
              SERVICE_NANOS,
              true));
    }
    RecordedRequest request =
        new RecordedRequest(
            Math.round(queue.nowNanos),
            queue.random.nextInt(NODES),
            PlanPaging.NONE,
            hashes,
            replicas,
            CONTACTS,
            BYTES,
            FORECASTS);
    return new Served(request, latency, executed);
  }

  private static int[] all(int value) {
    return IntStream.generate(() -> value).limit(READS).toArray();
  }

  private static String name(int node) {
    return "127.0.0." + (node + 1) + ":7000";
  }
}
