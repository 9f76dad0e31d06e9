/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.idle;

import dev.manx.contention.idle.IdleResult;
import dev.manx.contention.idle.IdleTurn;
import dev.manx.contention.proc.CoreTime;
import dev.manx.contention.proc.CpuList;
import dev.manx.contention.proc.CpuQuota;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.squeeze.SqueezeException;
import dev.manx.contention.squeeze.SqueezedProcess;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.Stopwatch;
import dev.manx.lab.experiment.Turn;
import dev.manx.lab.kind.UsableCores;
import dev.manx.lab.kind.idle.IdleKind.At;
import dev.manx.policy.config.Units;
import dev.manx.policy.strategy.IdleSpec;
import dev.manx.workload.result.Histograms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Plays each turn in a fresh process, with equal operations and intended times. */
final class IdlePlayer implements Player<IdleSpec, At> {
  private static final long SLICE_NANOS = 100_000_000L;

  private final List<Point<IdleSpec, At>> points;
  private final Path work;
  private final Stopwatch sinceStart = new Stopwatch();

  private IdlePlayer(List<Point<IdleSpec, At>> points, Path work) {
    this.points = points;
    this.work = work;
  }

  /**
   * Checks that threads may be squeezed.
   *
   * @throws SqueezeException if the permission is missing
   * @throws dev.manx.lab.experiment.RunException if the cores are missing
   */
  static IdlePlayer start(List<Point<IdleSpec, At>> points, Path work) {
    points.stream()
        .map(point -> point.settings().which())
        .filter(which -> which.boosts() && !SqueezedProcess.mayBoost())
        .findFirst()
        .ifPresent(
            which -> {
              throw new SqueezeException(
                  "case " + which.label() + " sets nice levels. " + SqueezedProcess.HOW_TO_PERMIT);
            });
    UsableCores.check(
        "squeeze.cores",
        points.stream()
            .map(Point::settings)
            .filter(at -> at.which().pins())
            .mapToInt(at -> at.settings().squeeze().cores()));
    return new IdlePlayer(points, work);
  }

  @Override
  public Measured play(Turn<IdleSpec, At> turn, Consumer<String> now)
      throws InterruptedException, IOException {
    At at = turn.point().settings();
    List<CpuEdge> edges = new ArrayList<>();
    IdleResult result =
        new IdleTurn(at.settings().load(at.load()), at.settings().squeeze(), work)
            .run(
                turn.arm().settings().written(),
                at.which(),
                turn.streamSeed(),
                pid -> edges.add(CpuEdge.of(pid)));
    CpuEdge from = edges.get(0);
    Measured measured =
        new Measured(
            sinceStart.secondsAt(from.atNanos()), at.settings().load().windowNanos() / 1e9);
    measured.latency(
        at.which().label(),
        new Measured.Latency(
            result.offered(),
            result.notDone(),
            0,
            result.throughputPerSecond(),
            result.latencyNanos()));
    from.metrics(edges.get(1), result.ended(), measured);
    metrics(result, measured);
    timeline(result, at.which().label(), measured);
    double[] boosted = result.boostedSeconds();
    if (boosted.length > 0) {
      measured.mark(boosted[0], boosted[1], "nice " + at.settings().squeeze().nice());
    }
    return measured;
  }

  private static void metrics(IdleResult result, Measured measured) {
    measured
        .metric("waits", result.waits())
        .metric(
            "checks_per_wait", result.waits() == 0 ? 0 : (double) result.checks() / result.waits())
        .metric("p999_boosted_us", Histograms.percentileUs(result.latencyNanos(true), 99.9))
        .metric("p999_others_us", Histograms.percentileUs(result.latencyNanos(false), 99.9))
        .metric("safepoints", result.safepoints().count())
        .metric("safepoint_total_ms", result.safepoints().totalNanos() / 1e6)
        .metric("safepoint_longest_ms", result.safepoints().longestNanos() / 1e6);
  }

  /** P99 and maximum of every slice, by the intended time. */
  private static void timeline(IdleResult result, String entity, Measured measured) {
    long slice = 0;
    for (Histogram one : result.latencyOverTime(SLICE_NANOS)) {
      double seconds = rounded(slice++ * SLICE_NANOS / 1e9);
      if (one.getTotalCount() > 0) {
        double p99 = rounded(Histograms.percentileUs(one, 99) / 1e3);
        double max = rounded(Histograms.percentileUs(one, 100) / 1e3);
        measured.moment(seconds, entity, "p99_ms", p99).moment(seconds, entity, "max_ms", max);
      }
    }
  }

  private static double rounded(double value) {
    return Math.round(value * 1e3) / 1e3;
  }

  @Override
  public Map<String, String> environment() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("on", "idle: threads of one JVM that sometimes wait for each other");
    for (Point<IdleSpec, At> point : points) {
      IdleSettings settings = point.settings().settings();
      words.put(
          point.named("operation"),
          Units.duration(settings.load().workNanos())
              + " of processor time, during "
              + Units.duration(settings.load().holdNanos())
              + " of which the other threads must wait for this one");
      words.put(point.named("squeeze"), settings.squeeze().words());
      words.put(point.named("threads"), Integer.toString(settings.load().threads()));
    }
    points.get(0).arms().forEach(arm -> words.put("arm " + arm.name(), arm.settings().written()));
    return words;
  }

  /**
   * Processor time at an edge of the window.
   *
   * @param workerSeconds of the worker's process
   * @param cores that the worker may use: the pinned ones, where it is pinned
   * @param times of all cores of the machine
   * @param quota of the worker's control groups, if they have one
   */
  record CpuEdge(
      long atNanos,
      double workerSeconds,
      List<Integer> cores,
      Map<Integer, CoreTime> times,
      Optional<CpuQuota> quota) {
    static CpuEdge of(long pid) {
      // The guard pins all threads, including the first.
      List<Integer> cores =
          Proc.process(pid).map(worker -> CpuList.parse(worker.cpus())).orElse(List.of());
      return new CpuEdge(
          System.nanoTime(),
          Proc.cpuSeconds(pid),
          Proc.online(cores),
          CoreTime.now(),
          CpuQuota.of(pid));
    }

    /**
     * Adds the processor time until a later edge.
     *
     * @param operations that ended meanwhile
     */
    void metrics(CpuEdge to, long operations, Measured measured) {
      double seconds = (to.atNanos - atNanos) / 1e9;
      double worker = to.workerSeconds - workerSeconds;
      CoreTime passed = CoreTime.sum(to.times, cores).since(CoreTime.sum(times, cores));
      double foreign = passed.foreignSeconds(cores.size(), seconds, worker);
      double steal = passed.stealSeconds();
      double throttled =
          quota
              .flatMap(from -> to.quota.map(until -> until.throttledSince(from)))
              .orElse(Double.NaN);
      measured
          .metric("cpu_us_per_operation", worker / operations * 1e6)
          .metric("cpu_pct_worker", percent(worker, seconds))
          .metric("cpu_pct_foreign", percent(foreign, seconds))
          .metric("cpu_pct_steal", percent(steal, seconds))
          .metric("throttled_pct", 100 * throttled / seconds)
          .noise(
              foreign / seconds, (Double.isNaN(throttled) ? steal : steal + throttled) / seconds);
    }

    /** A share of these cores' time. */
    private double percent(double cpuSeconds, double seconds) {
      return 100 * cpuSeconds / (seconds * cores.size());
    }
  }
}
