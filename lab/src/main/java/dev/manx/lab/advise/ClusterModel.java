/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.simulator.ModelSpec;
import dev.manx.simulator.ModelSpec.Cpu;
import dev.manx.simulator.ModelSpec.Feedback;
import dev.manx.simulator.ModelSpec.Forecasts;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.ModelSpec.Network;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Service;
import dev.manx.simulator.ModelSpec.Speeds;
import dev.manx.simulator.Outcome;
import dev.manx.simulator.RunSpec;
import dev.manx.simulator.Simulation;
import dev.manx.simulator.recorded.ArrivalShape;
import dev.manx.simulator.recorded.ArrivalTimes;
import dev.manx.simulator.recorded.NodeRecord;
import dev.manx.simulator.recorded.RecordedSpec;
import dev.manx.simulator.recorded.Recording;
import dev.manx.workload.Arrivals;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleConsumer;

/**
 * The simulator's model of a recorded cluster: the read threads of a node serve in parallel, and
 * all latency except waiting and service is a constant delay.
 *
 * @param source the recorded requests, with the arrivals that are compared with measured latencies
 * @param shape the recorded arrivals
 * @param readThreads of each node
 * @param oneWayNanos delay of a message
 * @param requestsPerSecond rate at all coordinators together
 * @param stock stock's choice of replicas
 */
record ClusterModel(
    RecordedSpec source,
    ArrivalShape shape,
    int readThreads,
    long oneWayNanos,
    double requestsPerSecond,
    Stock stock) {
  /** Cassandra's default, if it is not in any log. */
  private static final int USUAL_READ_THREADS = 32;

  private static final long LARGE = 64 << 10;
  private static final long TIMEOUT_NANOS = 5_000_000_000L;
  private static final long FIT_REQUESTS = 12_000;

  /**
   * The accuracy, as a share, with which the model's P5 approaches the measured one, unless that
   * takes more plays.
   */
  private static final double NEAR = 1.0 / 256;

  private static final int MOST_PLAYS = 8;
  private static final double WARM_UP = 0.1;

  /** Most requests of a run that is to have all those of a recording. */
  private static final long MOST_REQUESTS = 400_000;

  // Some ten seconds of one core; wide requests would take hours by their number alone.
  private static final double MOST_READS = 2_000_000;

  /**
   * Fits the model: all values are as recorded, and the delay is such that the fastest of stock's
   * requests, which do not wait, are as fast as measured. Of stock's possible ways to choose
   * replicas, the one closest at the median and above is taken; its deviation measures the quality
   * of the model.
   *
   * @param shape the arrivals of the recording
   * @param progress receives the fraction done, from 0 to 1
   * @throws IllegalArgumentException if the recording lacks executed reads
   */
  static ClusterModel fit(Recording recording, ArrivalShape shape, DoubleConsumer progress) {
    int threads =
        recording.logs().stream()
            .mapToInt(NodeRecord::readThreads)
            .filter(n -> n > 0)
            .min()
            .orElse(USUAL_READ_THREADS);
    double rate = recording.requestsPerSecond();
    RecordedSpec source = new RecordedSpec(recording, (int) LARGE, shape.compared());
    LatencyPercentiles measured = MeasuredLatencies.of(recording).latencies();
    Fitted best = null;
    long delay = 0;
    for (Stock stock : Stock.values()) {
      Fitted fitted =
          new ClusterModel(source, shape, threads, delay, rate, stock)
              .fittedTo(
                  measured.p5(),
                  done -> progress.accept((stock.ordinal() + done) / Stock.values().length));
      if (best == null
          || fitted.played().distanceFrom(measured) < best.played().distanceFrom(measured)) {
        best = fitted;
      }
      delay = fitted.model().oneWayNanos();
    }
    return best.model();
  }

  /** A model and the latencies that it plays for stock. */
  private record Fitted(ClusterModel model, LatencyPercentiles played) {}

  /**
   * Searches the delay: a request waits for two messages, and its other waits hardly depend on
   * them, so the second guess is almost always right. If it is not, a bisection follows.
   */
  private Fitted fittedTo(double p5, DoubleConsumer progress) {
    long low = 0;
    long high = Math.max(1, Math.round(p5 / 2));
    ClusterModel model = this;
    for (int plays = 1; ; plays++) {
      LatencyPercentiles played = model.stockPlayed();
      double missing = p5 - played.p5();
      if (missing < 0) {
        high = model.oneWayNanos;
      } else {
        low = model.oneWayNanos;
      }
      if (Math.abs(missing) <= NEAR * p5 || high - low <= 1 || plays == MOST_PLAYS) {
        progress.accept(1);
        return new Fitted(model, played);
      }
      progress.accept((double) plays / MOST_PLAYS);
      long next = model.oneWayNanos + Math.round(missing / 2);
      long within = low < next && next < high ? next : (low + high) / 2;
      model = new ClusterModel(source, shape, readThreads, within, requestsPerSecond, stock);
    }
  }

  private LatencyPercentiles stockPlayed() {
    return LatencyPercentiles.played(play(stock.document(true), FIT_REQUESTS, 1));
  }

  Recording recording() {
    return source.recording();
  }

  /**
   * Utilization of the read threads at the recorded load if replicas are asked in the recorded
   * order: the mean of the nodes that execute reads, as {@link ReadThreads#busy} of the recording.
   */
  double utilisation() {
    double readsAtATime =
        Arrays.stream(source.busyNanos()).filter(nanos -> nanos > 0).average().orElse(0)
            * requestsPerSecond
            / 1e9;
    return readsAtATime / readThreads;
  }

  /**
   * Plays the recorded load. Recorded times are played over the whole recording, because a part of
   * it may have another load than the rest.
   *
   * @param least number of requests
   */
  Outcome play(String strategy, long least, long seed) {
    long requests =
        shape.compared() == ArrivalTimes.RECORDED
            ? Math.max(least, Math.min(mostRequests(), wholeRecording()))
            : least;
    RunSpec run =
        new RunSpec(
            requestsPerSecond, Arrivals.POISSON, requests, WARM_UP, seed, List.of(), 1, 0, 0);
    return new Simulation(spec(), source.spread(), strategy, run).run();
  }

  private long mostRequests() {
    return Math.min(MOST_REQUESTS, (long) (MOST_READS / source.meanReads()));
  }

  /** Requests of a run in which as many are measured as were recorded. */
  private long wholeRecording() {
    return (long) Math.ceil(recording().requests().size() / (1 - WARM_UP));
  }

  private ModelSpec spec() {
    int nodes = recording().nodes().size();
    return new ModelSpec(
            nodes,
            readThreads,
            readThreads,
            1,
            nodes,
            new Network(oneWayNanos, 0, 0),
            new Service(source.meanServiceNanos(), 0, Scatter.NONE, 1),
            new Speeds(Arrays.stream(recording().speeds()).boxed().toList(), 0, 1, 0),
            Optional.empty(),
            new Feedback(0, 0.1),
            new Forecasts(Knowledge.MEAN, 0, 1, 0, 1 << 20),
            Cpu.FREE,
            List.of(),
            TIMEOUT_NANOS)
        .limited(longestWaitNanos());
  }

  /** Longest wait that every node allowed its order. */
  long longestWaitNanos() {
    return recording().logs().stream()
        .flatMapToLong(log -> log.engine().longestWaitNanos().stream())
        .min()
        .orElse(ModelSpec.USUAL_LONGEST_WAIT_NANOS);
  }
}
