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

  private QueuedWorld() {}

  /** A request as it was served. */
  private record Served(RecordedRequest request, long latencyNanos, List<Executed> executed) {
    Stream<Executed> at(int node) {
      return IntStream.range(0, READS)
          .filter(read -> request.replicas()[read][0] == node)
          .mapToObj(executed::get);
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
    ArrivalShape shape = ArrivalShape.of(recording);
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
    long[] latencies =
        served(load, 400_000, 1).stream().mapToLong(Served::latencyNanos).sorted().toArray();
    return latencies[latencies.length / 100 * 99];
  }

  private static List<Served> served(double load, int requests, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double gap = SERVICE_NANOS * (double) READS / (load * NODES * THREADS);
    double[][] free = new double[NODES][THREADS];
    List<Served> served = new ArrayList<>();
    double now = 0;
    while (served.size() < requests) {
      now += -gap * Math.log(1 - random.nextDouble());
      Served one = serve(now, free, random);
      if (now >= SETTLED_NANOS) {
        served.add(one);
      }
    }
    return served;
  }

  private static Served serve(double now, double[][] free, SplittableRandom random) {
    long[] hashes = random.longs(READS).toArray();
    int[][] replicas = new int[READS][];
    List<Executed> executed = new ArrayList<>();
    double end = 0;
    for (int read = 0; read < READS; read++) {
      int home = random.nextInt(NODES);
      replicas[read] = new int[] {home, (home + 1) % NODES, (home + 2) % NODES};
      double service = SERVICE_NANOS * (0.9 + 0.2 * random.nextDouble());
      double begin = Math.max(now + ONE_WAY_NANOS, free[home][0]);
      free[home][0] = begin + service;
      Arrays.sort(free[home]);
      end = Math.max(end, begin + service + ONE_WAY_NANOS);
      executed.add(new Executed(Math.round(begin), 0, Math.round(service), SERVICE_NANOS, true));
    }
    int[] ones = new int[READS];
    Arrays.fill(ones, 1);
    int[] bytes = new int[READS];
    Arrays.fill(bytes, 1_000);
    long[] forecasts = new long[READS];
    Arrays.fill(forecasts, SERVICE_NANOS);
    RecordedRequest request =
        new RecordedRequest(
            Math.round(now),
            random.nextInt(NODES),
            PlanPaging.NONE,
            hashes,
            replicas,
            ones,
            bytes,
            forecasts);
    return new Served(request, Math.round(end - now), executed);
  }

  private static String name(int node) {
    return "127.0.0." + (node + 1) + ":7000";
  }
}
