/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import dev.manx.contention.engine.DriverRun;
import dev.manx.contention.engine.EngineException;
import dev.manx.contention.engine.EngineStore;
import dev.manx.contention.engine.Permission;
import dev.manx.contention.engine.Repetition;
import dev.manx.contention.engine.Repetition.Engine;
import dev.manx.contention.engine.RepetitionResult;
import dev.manx.contention.proc.CpuQuota;
import dev.manx.contention.squeeze.SqueezeKind;
import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.experiment.Stopwatch;
import dev.manx.lab.experiment.Turn;
import dev.manx.lab.kind.UsableCores;
import dev.manx.lab.kind.contention.ContentionKind.At;
import dev.manx.workload.result.Histograms;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Plays repetitions on prebuilt storage engines. Confined to one thread. */
final class ContentionPlayer implements Player<EngineArm, At> {
  private final Map<String, Engine> engines;
  private final OthersLibraries libraries;
  private final Map<Loaded, Double> rates = new LinkedHashMap<>();
  private final List<Point<EngineArm, At>> points;
  private final Progress progress;
  private final int usableCores = UsableCores.count();
  // The JVM's own number is smaller under a CPU quota.
  private final int machineCores =
      Math.min(usableCores, Runtime.getRuntime().availableProcessors());
  private final Stopwatch sinceStart = new Stopwatch();
  private final Map<List<Object>, Measured> unrestricted = new HashMap<>();
  // The engine's own name, by arm.
  private final Map<String, String> names = new TreeMap<>();

  /**
   * A load on some data: other data have other operation times, and so another rate for a share of
   * a core.
   */
  private record Loaded(Load load, Repetition.Data data) {
    static Loaded of(At at) {
      return new Loaded(at.load(), at.settings().data());
    }
  }

  private ContentionPlayer(
      Map<String, Engine> engines,
      OthersLibraries libraries,
      List<Point<EngineArm, At>> points,
      Progress progress) {
    this.engines = engines;
    this.libraries = libraries;
    this.points = points;
    this.progress = progress;
  }

  /**
   * Builds the engines.
   *
   * @throws RunException if an engine cannot be built, priorities cannot be raised, there are too
   *     few cores, or the records need more memory than there is
   */
  static ContentionPlayer start(
      List<Point<EngineArm, At>> points, EngineStore store, Progress progress)
      throws InterruptedException {
    UsableCores.check(
        "cores",
        points.stream()
            .map(Point::settings)
            .filter(at -> at.in().squeeze().pins())
            .mapToInt(at -> at.settings().cores()));
    try {
      DataMemory memory = DataMemory.here();
      points.forEach(point -> memory.check(point.settings().settings().data()));
      if (points.stream().anyMatch(point -> point.settings().in().squeeze().boosts())) {
        Permission.require();
      }
      Map<String, Arm<EngineArm>> arms = new LinkedHashMap<>();
      points.forEach(point -> point.arms().forEach(arm -> arms.putIfAbsent(arm.name(), arm)));
      Map<String, Engine> engines = new Engines(store, progress).of(arms.values());
      if (engines.isEmpty()) {
        throw new RunException("no arm is left to run");
      }
      return new ContentionPlayer(
          engines, new OthersLibraries(arms.values(), engines), points, progress);
    } catch (EngineException e) {
      throw new RunException(e.getMessage(), e);
    }
  }

  /** Finds the rates of shares of a core, so that all turns of a load have the same. */
  @Override
  public Map<String, Double> calibrate(Map<String, Double> known) throws InterruptedException {
    Map<String, Double> found = new LinkedHashMap<>();
    for (Point<EngineArm, At> point : points) {
      Loaded loaded = Loaded.of(point.settings());
      if (rates.containsKey(loaded)) {
        continue;
      }
      Double rate = known.get(words(point));
      if (Double.isNaN(loaded.load().fraction())) {
        rate = loaded.load().isClosed() ? 0 : loaded.load().requestsPerSecond();
      } else {
        rate = rate == null ? found(point) : rate;
        found.put(words(point), rate);
      }
      rates.put(loaded, rate);
    }
    return found;
  }

  private double found(Point<EngineArm, At> point) throws InterruptedException {
    At at = point.settings();
    progress.now("finding the rate of " + words(point));
    try {
      Engine first = engines.values().iterator().next();
      return RateCalibration.rate(first, at.settings(), at.load().fraction());
    } catch (EngineException e) {
      throw new RunException(e.getMessage(), e);
    }
  }

  private static String words(Point<EngineArm, At> point) {
    return point.named(point.load());
  }

  @Override
  public boolean has(Arm<EngineArm> arm) {
    return engines.containsKey(arm.name());
  }

  @Override
  public Measured play(Turn<EngineArm, At> turn, Consumer<String> now) throws InterruptedException {
    At at = turn.point().settings();
    double start = sinceStart.seconds() + at.settings().warmUpMillis() / 1e3;
    RepetitionResult result;
    try {
      libraries.check(turn.arm().name());
      result =
          DriverRun.run(
              engines.get(turn.arm().name()),
              repetition(turn, rates.get(Loaded.of(at)), machineCores));
    } catch (EngineException e) {
      throw new RunException(e.getMessage(), e);
    }
    names.put(turn.arm().name(), result.engine());
    Measured measured = new Measured(start, result.windowSeconds());
    measured
        .latency(
            at.in().squeeze().label(),
            new Measured.Latency(
                result.count(),
                // Operations still waiting at the end of the window were not answered.
                result.unfinished() + result.failed(),
                0,
                result.throughputPerSecond(),
                result.nanos()))
        .noise(result.noise().foreign(), result.noise().taken());
    metrics(result, measured);
    ratios(turn, measured);
    for (RepetitionResult.Second second : result.seconds()) {
      String entity = at.in().squeeze().label();
      measured
          .moment(second.t(), entity, "latency_mean_us", second.meanUs())
          .moment(second.t(), entity, "latency_p99_us", second.p99Us())
          .moment(second.t(), entity, "latency_max_us", second.maxUs())
          .moment(second.t(), entity, Measured.THROUGHPUT, result.throughputPerSecond(second));
    }
    if (at.in().squeeze() == SqueezeKind.PINNED_NICE) {
      measured.mark(
          result.boostedFrom(),
          result.boostedTo(),
          "%s: %d of %d sessions at nice %d"
              .formatted(
                  at.in().squeeze().label(),
                  at.settings().boosted(at.threads()),
                  at.threads(),
                  at.settings().nice()));
    }
    return measured;
  }

  /**
   * The driver's work in a turn.
   *
   * @param machineCores cores that it may use, or fewer under a CPU quota
   */
  static Repetition repetition(Turn<EngineArm, At> turn, double ratePerSecond, int machineCores) {
    At at = turn.point().settings();
    ContentionSettings settings = at.settings();
    SqueezeCase in = at.in();
    int cores = in.squeeze().pins() ? settings.cores() : 0;
    return new Repetition(
        at.threads(),
        ratePerSecond,
        settings.warmUpMillis(),
        in.windowMillis(),
        cores,
        in.squeeze().boosts() ? settings.boosted(at.threads()) : 0,
        settings.nice(),
        in.fromMillis(),
        in.toMillis(),
        turn.arm().settings().admitted(cores == 0 ? machineCores : Math.min(cores, machineCores)),
        settings.data(),
        turn.streamSeed());
  }

  private static void metrics(RepetitionResult result, Measured measured) {
    measured
        .metric("cpu_us_per_op", result.cpuMicrosPerOperation())
        .metric("cpu_cores", result.sessionCpuSeconds() / result.windowSeconds())
        .metric("unfinished", result.unfinished())
        .metric("conflict_retries", result.retries());
    result
        .waits()
        .ifPresent(
            waits ->
                measured
                    .metric("waits", waits.waits())
                    .metric("waits_over_1ms", waits.stalls())
                    .metric("wait_checks", waits.checks())
                    .metric("wait_s", waits.seconds()));
    measured
        .metric("foreign_cpu_pct", 100 * result.noise().foreign())
        .metric("steal_pct", 100 * result.noise().steal())
        .metric("throttled_pct", 100 * result.noise().throttled());
  }

  /** The paper's ratios; the unrestricted case runs first in each round. */
  private void ratios(Turn<EngineArm, At> turn, Measured measured) {
    Measured free = unrestricted.get(unrestrictedKey(turn));
    if (turn.point().settings().in().squeeze() != SqueezeKind.UNRESTRICTED && free != null) {
      measured
          .metric("p999_over_unrestricted", p999(measured) / p999(free))
          .metric("mean_over_unrestricted", mean(measured) / mean(free));
    }
  }

  @Override
  public void counted(Turn<EngineArm, At> turn, Measured measured) {
    if (turn.point().settings().in().squeeze() == SqueezeKind.UNRESTRICTED) {
      unrestricted.put(unrestrictedKey(turn), measured);
    }
  }

  /** A key that is equal for the cases of a round. */
  private static List<Object> unrestrictedKey(Turn<EngineArm, At> turn) {
    At at = turn.point().settings();
    return List.of(
        turn.arm().name(), at.settings(), at.load(), at.threads(), turn.seed(), turn.round());
  }

  private static double p999(Measured measured) {
    return Histograms.percentileUs(measured.first().nanos(), 99.9);
  }

  private static double mean(Measured measured) {
    return measured.first().meanNanos();
  }

  @Override
  public Map<String, Double> overBaseline(Measured arm, Measured baseline) {
    Map<String, Double> ratios = new LinkedHashMap<>();
    ratios.put("p999_over_baseline", p999(arm) / p999(baseline));
    ratios.put("mean_over_baseline", mean(arm) / mean(baseline));
    ratios.put(
        "cpu_per_op_over_baseline", arm.value("cpu_us_per_op") / baseline.value("cpu_us_per_op"));
    return ratios;
  }

  /** The engines' versions: otherwise an arm could be of two engines. */
  @Override
  public Map<String, String> conditions() {
    return libraries.contents();
  }

  @Override
  public Map<String, String> environment() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("on", "a storage engine in a separate process");
    names.forEach((arm, name) -> words.put("engine " + arm, name));
    words.putAll(libraries.contents());
    words.putAll(libraries.builds());
    Map<Loaded, Double> said = new LinkedHashMap<>(rates);
    for (Point<EngineArm, At> point : points) {
      Double rate = said.remove(Loaded.of(point.settings()));
      if (rate != null) {
        words.put(
            "load " + words(point),
            rate == 0
                ? "each session without pause"
                : String.format(Locale.ROOT, "%.0f operations/s", rate));
      }
    }
    for (Point<EngineArm, At> point : points) {
      At at = point.settings();
      words.put(
          point.named("case " + at.in().squeeze().label()),
          at.in().squeeze().pins()
              ? "sessions confined to " + at.settings().cores() + " of " + usableCores + " cores"
              : "all " + usableCores + " cores");
    }
    words.put("cores", coresInWords());
    return words;
  }

  private String coresInWords() {
    return usableCores
        + " may be used; CPU quota: "
        + CpuQuota.of(ProcessHandle.current().pid())
            .map(
                quota ->
                    String.format(
                        Locale.ROOT,
                        "%.2f cores, so that `limit: cores` admits %d at most",
                        quota.cores(),
                        machineCores))
            .orElse("none");
  }
}
