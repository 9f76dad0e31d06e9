/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.live;

import dev.manx.lab.cluster.ManxHome;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.live.LiveExperiment.LiveArm;
import dev.manx.lab.run.Pool;
import dev.manx.lab.run.Progress;
import dev.manx.lab.run.RunException;
import dev.manx.load.LoadResult;
import dev.manx.load.LoadRun;
import dev.manx.load.LoadSettings;
import dev.manx.workload.Arrivals;
import dev.manx.workload.Fanout;
import dev.manx.workload.Popularity;
import dev.manx.workload.RequestClass;
import dev.manx.workload.SizeClass;
import dev.manx.workload.Values;
import dev.manx.workload.Workload;
import dev.manx.workload.WorkloadSpec;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.GitRevision;
import dev.manx.workload.result.RowKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs an experiment on a real cache before real backends: all arms in interleaved rounds, each
 * with a cache of its own, on the same backends and the same requests.
 */
public final class LiveRunner {
  private static final long LOOK_NANOS = 500_000_000L;

  private final LiveExperiment experiment;
  private final ManxHome home;
  private final Progress progress;
  private final long startNanos = System.nanoTime();

  private LiveRunner(LiveExperiment experiment, ManxHome home, Progress progress) {
    this.experiment = experiment;
    this.home = home;
    this.progress = progress;
  }

  /**
   * Reads a file and applies what the command line chose; starts nothing.
   *
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  public static LiveRunner read(Path file, Choices choices, ManxHome home, Progress progress) {
    return new LiveRunner(LiveReader.read(file, choices), home, progress);
  }

  /** The experiment's name. */
  public String name() {
    return experiment.name();
  }

  /** The experiment as {@code experiment.yaml} has it. */
  public String resolved() {
    return experiment.text();
  }

  /**
   * Starts the backends, measures, stops them; blocking.
   *
   * @param out gets the result files
   * @param work where backends keep their data meanwhile
   * @throws RunException if a backend or a server does not come up
   */
  public void run(Path out, Path work) throws InterruptedException {
    progress.step(plan());
    try (LiveBackends backends = LiveBackends.start(experiment, home, work, progress)) {
      progress.step(
          experiment.backends().size() + " backends up and filled after " + seconds() + " s");
      measure(backends, out);
    } catch (IOException e) {
      throw new RunException("cannot run " + experiment.name() + ": " + e.getMessage(), e);
    }
  }

  private String plan() {
    long turns = (long) experiment.rounds() * experiment.arms().size();
    double load =
        (turns * experiment.turnNanos() + experiment.arms().size() * experiment.settleNanos())
            / 1e9;
    return String.format(
        Locale.ROOT,
        "%s: %d arms, %d rounds at %s; some %.0f s",
        experiment.name(),
        experiment.arms().size(),
        experiment.rounds(),
        experiment.load(),
        load + 30);
  }

  private long seconds() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
  }

  private void measure(LiveBackends backends, Path out) throws IOException, InterruptedException {
    List<LiveArmRun> runs = new ArrayList<>();
    try (LiveFiles files = new LiveFiles(out, experiment, environment(backends))) {
      for (LiveArm arm : experiment.arms()) {
        runs.add(new LiveArmRun(experiment, arm, backends.all()));
      }
      for (LiveArmRun run : runs) {
        settle(run, backends);
      }
      Map<LiveArmRun, Pool> pools = new LinkedHashMap<>();
      runs.forEach(run -> pools.put(run, new Pool(files.key(run.arm().name(), 1))));
      Random order = new Random(experiment.seed());
      for (int round = 1; round <= experiment.rounds(); round++) {
        List<LiveArmRun> shuffled = new ArrayList<>(runs);
        Collections.shuffle(shuffled, order);
        for (LiveArmRun run : shuffled) {
          turn(run, round, backends, files, pools.get(run));
        }
        progress.step("round " + round + " of " + experiment.rounds() + ", " + seconds() + " s");
      }
      for (LiveArmRun run : runs) {
        files.pooled(pools.get(run));
      }
    } finally {
      runs.forEach(LiveArmRun::close);
    }
  }

  private Environment environment(LiveBackends backends) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("on", "cache-live: a real cache before real backends, all on this machine");
    settings.put(
        "store", experiment.server().map(Enum::name).orElse("Caffeine").toLowerCase(Locale.ROOT));
    backends.all().forEach(b -> settings.put("backend " + b.plan().name(), b.describe()));
    backends.squeezer().ifPresent(squeezer -> settings.put("squeeze", squeezer.describe()));
    return Environment.capture(Instant.now(), GitRevision.of(home.root()), settings);
  }

  /** Arrivals alone are taken from it; what requests ask for is drawn by {@link Plans}. */
  private static Workload arrivals() {
    return new Workload(
        new WorkloadSpec(
            2,
            List.of(new SizeClass(Values.MIN_BYTES, 1)),
            Integer.MAX_VALUE,
            1,
            new Popularity.Uniform(),
            new Fanout.Fixed(1),
            Arrivals.POISSON,
            WorkloadSpec.NARROW_MAX_READS));
  }

  private void settle(LiveArmRun run, LiveBackends backends) throws InterruptedException {
    if (experiment.settleNanos() > 0) {
      progress.now("settling " + run.arm().name());
      LiveTarget target =
          run.target(
              backends.all(),
              new Plans(experiment.backends(), experiment.seed()),
              (intended, latency) -> {});
      new LoadRun(
              arrivals().stream(experiment.requestsPerSecond(), experiment.seed()),
              target,
              load(0, experiment.settleNanos()),
              look -> {})
          .run();
    }
  }

  private LoadSettings load(long warmUp, long window) {
    return new LoadSettings(
        warmUp,
        window,
        experiment.requestTimeOutNanos(),
        LoadSettings.MAX_OUTSTANDING,
        LOOK_NANOS,
        List.of(RequestClass.ALL),
        WorkloadSpec.NARROW_MAX_READS);
  }

  private void turn(LiveArmRun run, int round, LiveBackends backends, LiveFiles files, Pool pool)
      throws IOException, InterruptedException {
    long seed = experiment.seed() * 1_000 + round;
    LiveWatch watch =
        new LiveWatch(
            run,
            experiment,
            experiment.seed(),
            round,
            () -> backends.squeezer().map(Squeezer::on).orElse(false),
            progress::now);
    LiveTarget target = run.target(backends.all(), new Plans(experiment.backends(), seed), watch);
    double startSeconds = (System.nanoTime() - startNanos + experiment.warmUpNanos()) / 1e9;
    LoadResult result;
    try (SqueezeTimer timer = SqueezeTimer.start(experiment, backends)) {
      result =
          new LoadRun(
                  arrivals().stream(experiment.requestsPerSecond(), seed),
                  target,
                  load(experiment.warmUpNanos(), experiment.windowNanos()),
                  watch)
              .run();
      timer.check();
    }
    backends.checkAlive();
    Map<String, Double> metrics = new LinkedHashMap<>();
    RowKey key = files.key(run.arm().name(), round);
    result.metrics(key).forEach(row -> metrics.put(row.metric(), row.value()));
    metrics.putAll(watch.metrics());
    files.turn(key, startSeconds, result, metrics, watch.timeline());
    pool.add(new Pool.Entry(experiment.seed(), round, result, metrics));
  }

  /** Squeezes at its time in a turn and releases, in any case, at its end. */
  private static final class SqueezeTimer implements AutoCloseable {
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final LiveBackends backends;
    private volatile IOException failure;

    private SqueezeTimer(LiveBackends backends) {
      this.backends = backends;
    }

    static SqueezeTimer start(LiveExperiment experiment, LiveBackends backends) {
      SqueezeTimer timer = new SqueezeTimer(backends);
      backends
          .squeezer()
          .ifPresent(
              squeezer -> {
                long from = experiment.warmUpNanos() + experiment.squeeze().fromNanos();
                timer.at(from, squeezer::squeeze);
                timer.at(from + experiment.squeeze().forNanos(), squeezer::release);
              });
      return timer;
    }

    private interface Step {
      void run() throws IOException;
    }

    private void at(long nanos, Step step) {
      var unused =
          thread.schedule(
              () -> {
                try {
                  step.run();
                } catch (IOException e) {
                  failure = e;
                }
              },
              nanos,
              TimeUnit.NANOSECONDS);
    }

    void check() throws IOException {
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public void close() throws IOException {
      thread.shutdownNow();
      if (backends.squeezer().isPresent()) {
        backends.squeezer().get().release();
      }
    }
  }
}
