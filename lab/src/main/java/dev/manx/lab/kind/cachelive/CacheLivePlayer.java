/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.Closer;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.Stopwatch;
import dev.manx.lab.experiment.Turn;
import dev.manx.lab.kind.LoadMeasured;
import dev.manx.lab.kind.TimedRun;
import dev.manx.lab.kind.TwoSteps;
import dev.manx.lab.kind.cachelive.CacheLiveKind.At;
import dev.manx.lab.kind.cachelive.LiveSettings.Kind;
import dev.manx.load.LoadProgress;
import dev.manx.load.LoadResult;
import dev.manx.load.LoadRun;
import dev.manx.load.LoadSettings;
import dev.manx.local.cluster.ManxHome;
import dev.manx.local.cluster.NodeJava;
import dev.manx.workload.Arrivals;
import dev.manx.workload.CheckedValues;
import dev.manx.workload.Fanout;
import dev.manx.workload.Popularity;
import dev.manx.workload.RequestClass;
import dev.manx.workload.SizeClass;
import dev.manx.workload.Workload;
import dev.manx.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Plays arms, each with a separate cache, on shared backends with equal requests. */
final class CacheLivePlayer implements Player<LiveArm, At> {
  private static final long MOST_LOOK_NANOS = 500_000_000L;

  private final LiveSettings settings;
  private final LiveBackends backends;
  private final FaultSwitch faults;
  private final long settleSeed;
  private final Stopwatch sinceStart = new Stopwatch();
  private final Map<String, LiveArmRun> runs = new LinkedHashMap<>();

  private CacheLivePlayer(LiveSettings settings, LiveBackends backends, long settleSeed) {
    this.settings = settings;
    this.backends = backends;
    this.faults = new FaultSwitch(settings.faults());
    this.settleSeed = settleSeed;
  }

  /**
   * Starts the backends and fills them, and opens every arm's cache.
   *
   * @throws dev.manx.lab.experiment.RunException if a backend or a server does not start
   */
  static CacheLivePlayer start(
      LiveSettings settings,
      List<Arm<LiveArm>> arms,
      long settleSeed,
      ManxHome home,
      Path work,
      Progress progress)
      throws IOException, InterruptedException {
    LiveBackends backends = LiveBackends.start(settings, home, work, progress);
    CacheLivePlayer player = new CacheLivePlayer(settings, backends, settleSeed);
    try (Closer<IOException> undo = new Closer<>()) {
      undo.add(player::close);
      for (Arm<LiveArm> arm : arms) {
        player.runs.put(
            arm.name(), new LiveArmRun(settings, arm.settings(), backends.all(), player.faults));
      }
      progress.step(backends.all().size() + " backends up and filled");
      undo.release();
      return player;
    }
  }

  @Override
  public void settle(Arm<LiveArm> arm) throws InterruptedException {
    if (settings.settleNanos() > 0) {
      LiveTarget target =
          target(
              run(arm),
              new QueryPlans(settings.backends(), settleSeed, Optional.empty()),
              0,
              (intended, latency) -> {});
      double perSecond = settings.loads().get(0).requestsPerSecond();
      LoadMeasured.settled(
          arm.name(), load(perSecond, settleSeed, target, 0, settings.settleNanos(), look -> {}));
    }
  }

  @Override
  public Measured play(Turn<LiveArm, At> turn, Consumer<String> now)
      throws InterruptedException, IOException {
    At at = turn.point().settings();
    LiveArmRun run = run(turn.arm());
    LiveWatch watch =
        new LiveWatch(
            run,
            settings,
            at.windowNanos(),
            () -> backends.squeezer().map(BackendSqueezer::on).orElse(false),
            now);
    double start = sinceStart.seconds() + settings.warmUpNanos() / 1e9;
    LoadResult result;
    try (Closer<IOException> after = new Closer<>()) {
      // The squeeze is released even if its end failed.
      backends.squeezer().ifPresent(squeezer -> after.add(squeezer::release));
      TimedRun phases = phases();
      after.add(phases::close);
      phases.beginAfter(settings.warmUpNanos());
      result =
          load(
              at.load().requestsPerSecond(),
              turn.streamSeed(),
              target(
                  run,
                  new QueryPlans(settings.backends(), turn.streamSeed(), settings.faults().shift()),
                  settings.warmUpNanos(),
                  watch),
              settings.warmUpNanos(),
              at.windowNanos(),
              watch);
      phases.check();
    }
    backends.checkAlive();
    run.checkAlive(store());
    Measured measured = LoadMeasured.of(start, result, Double.NaN);
    watch.into(measured);
    return measured;
  }

  /** The disturbances of the backends; the target shifts the keys. */
  private TimedRun phases() {
    return new TimedRun(
        Stream.of(
                backends
                    .squeezer()
                    .map(one -> entry(settings.squeeze(), one::squeeze, one::release)),
                settings
                    .faults()
                    .late()
                    .map(one -> entry(one, () -> faults.late(true), () -> faults.late(false))),
                settings
                    .faults()
                    .errors()
                    .map(one -> entry(one, () -> faults.errors(true), () -> faults.errors(false))))
            .flatMap(Optional::stream)
            .toList());
  }

  private static TimedRun.Entry entry(Phase phase, TwoSteps.Step first, TwoSteps.Step last) {
    TwoSteps steps = new TwoSteps("backend " + phase.backend() + " " + phase.word(), first, last);
    return new TimedRun.Entry(phase.fromNanos(), phase.forNanos(), steps);
  }

  /** The servers of an arm. */
  LiveArmRun run(Arm<LiveArm> arm) {
    return runs.get(arm.name());
  }

  private LiveTarget target(
      LiveArmRun run, QueryPlans plans, long warmUpNanos, LiveTarget.Listener listener) {
    return run.target(
        backends.all(), plans, listener, settings.faults().errors().isPresent(), warmUpNanos);
  }

  private LoadResult load(
      double perSecond,
      long seed,
      LiveTarget target,
      long warmUp,
      long window,
      LoadProgress.Listener listener)
      throws InterruptedException {
    LoadSettings how =
        new LoadSettings(
            warmUp,
            window,
            settings.requestTimeOutNanos(),
            LoadSettings.MAX_OUTSTANDING,
            LoadSettings.progressEveryNanos(window, MOST_LOOK_NANOS),
            List.of(RequestClass.ALL),
            WorkloadSpec.NARROW_MAX_READS);
    return new LoadRun(arrivals().stream(perSecond, seed), target, how, listener).run();
  }

  /** Used for arrivals only; {@link QueryPlans} draws the queries of requests. */
  private static Workload arrivals() {
    return new Workload(
        new WorkloadSpec(
            2,
            List.of(new SizeClass(CheckedValues.MIN_BYTES, 1)),
            Integer.MAX_VALUE,
            1,
            new Popularity.Uniform(),
            new Fanout.Fixed(1),
            Arrivals.POISSON,
            WorkloadSpec.NARROW_MAX_READS));
  }

  /** All turns get the work that was calibrated at the first start. */
  @Override
  public Map<String, Double> calibrate(Map<String, Double> known) throws IOException {
    Map<String, Double> work = new LinkedHashMap<>();
    for (LiveBackend backend : backends.all()) {
      if (backend instanceof CalibratedBackend calibrated) {
        String name = "work of " + backend.plan().name();
        if (known.containsKey(name)) {
          calibrated.work(known.get(name).intValue());
        }
        work.put(name, (double) calibrated.work());
      }
    }
    return work;
  }

  @Override
  public Map<String, String> conditions() {
    Map<String, String> conditions = new LinkedHashMap<>();
    backends.squeezer().ifPresent(squeezer -> conditions.put("squeeze", squeezer.means()));
    if (settings.backends().stream().anyMatch(plan -> plan.kind() == Kind.CASSANDRA)) {
      conditions.put("nodes' Java", NodeJava.version());
    }
    return conditions;
  }

  @Override
  public String forgotten() {
    return "every arm began with an empty cache and learned anew, after another `settle`";
  }

  private String store() {
    return settings.server().map(Enum::name).orElse("Caffeine").toLowerCase(Locale.ROOT);
  }

  @Override
  public Map<String, String> environment() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("on", "cache-live: a real cache in front of real backends, all on this machine");
    words.put("store", store());
    backends.all().forEach(b -> words.put("backend " + b.plan().name(), b.describe()));
    backends.squeezer().ifPresent(squeezer -> words.put("squeeze", squeezer.describe()));
    return words;
  }

  @Override
  public void close() throws IOException {
    try (Closer<IOException> all = new Closer<>()) {
      all.add(backends::close);
      runs.values().forEach(run -> all.add(run::close));
    }
  }
}
