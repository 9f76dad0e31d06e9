/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.run;

import dev.manx.contention.proc.Proc;
import dev.manx.contention.squeeze.SqueezeException;
import dev.manx.contention.squeeze.Target;
import dev.manx.lab.cluster.LocalCluster;
import dev.manx.lab.cluster.ManxHome;
import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.Load;
import dev.manx.load.LoadResult;
import dev.manx.load.LoadRun;
import dev.manx.load.LoadSettings;
import dev.manx.load.MixedRun;
import dev.manx.workload.Workload;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.GitRevision;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;

/**
 * Runs an experiment: all arms on one cluster, in interleaved rounds, each turn switched live,
 * warmed up and then measured, and within a round all arms on the same stream of requests.
 */
public final class ExperimentRunner {
  private static final long SECOND = 1_000_000_000L;

  private final Experiment experiment;
  private final Workload workload;
  private final ManxHome home;
  private final Progress progress;
  private final long startNanos = System.nanoTime();
  private int turnsDone;

  /** For one experiment. */
  public ExperimentRunner(Experiment experiment, ManxHome home, Progress progress) {
    this.experiment = experiment;
    this.workload = new Workload(experiment.workload());
    this.home = home;
    this.progress = progress;
  }

  /**
   * Boots the cluster, measures, stops the cluster; blocking.
   *
   * @param out gets the result files
   * @param work where the nodes' files are while they run
   * @throws RunException if a node refuses an arm or data is wrong
   */
  public void run(Path out, Path work) throws InterruptedException {
    progress.step(plan());
    boolean boosts = experiment.events().stream().anyMatch(e -> e.squeeze().boost() > 0);
    if (boosts && !Proc.maySetPriorities()) {
      throw new SqueezeException("The events set nice levels. " + Target.HOW_TO_PERMIT);
    }
    try (Benches benches = Benches.boot(experiment, workload, home, work, progress)) {
      run(benches, out);
    }
  }

  /**
   * The same on nodes that run already, whatever the experiment says of its cluster; they go on.
   *
   * @param out gets the result files
   */
  public void runOn(LocalCluster cluster, Path out) throws InterruptedException {
    try (Benches benches = Benches.on(cluster, experiment, workload, progress)) {
      run(benches, out);
    }
  }

  private void run(Benches benches, Path out) throws InterruptedException {
    progress.step(
        benches.all().stream().mapToInt(bench -> bench.nodes().size()).sum()
            + " nodes up, "
            + workload.keySpace().keys()
            + " keys loaded and verified, after "
            + (System.nanoTime() - startNanos) / SECOND
            + " s");
    try (ResultFiles files = new ResultFiles(out, experiment)) {
      files.environment(
          Environment.capture(
              Instant.now(),
              GitRevision.of(home.root()),
              Environments.settings(experiment, workload, benches.all().get(0))));
      measure(benches, files);
    } catch (IOException e) {
      throw new RunException("cannot write results to " + out + ": " + e.getMessage(), e);
    }
  }

  /** One line of what will be done, and about how long it takes. */
  private String plan() {
    double seconds = 0;
    for (Load load : experiment.loads()) {
      double rate = experiment.requestsPerSecond(load, workload);
      seconds +=
          turns(1) * (experiment.warmUpNanos() + experiment.windowNanos(rate) + SECOND) / 1e9;
    }
    return String.format(
        "%s: %d arms, %d rounds, loads %s%s; some %.0f min%s",
        experiment.name(),
        experiment.arms().size(),
        experiment.rounds(),
        String.join(" ", experiment.loads().stream().map(Load::label).toList()),
        requestsEachTurn(),
        Math.ceil((seconds + experiment.settleNanos() / 1e9 + 45) / 60),
        experiment.quick() ? " (quick: too short to be believed)" : "");
  }

  private String requestsEachTurn() {
    double rate = experiment.requestsPerSecond(experiment.loads().get(0), workload);
    return Double.isNaN(rate)
        ? ""
        : String.format(
            ", about %.0f requests each turn", rate * experiment.windowNanos(rate) / 1e9);
  }

  private int turns(int loads) {
    return loads * experiment.seeds().size() * experiment.rounds() * experiment.arms().size();
  }

  private void measure(Benches benches, ResultFiles files)
      throws IOException, InterruptedException {
    ArmSwitch armSwitch = new ArmSwitch(benches);
    settle(benches, armSwitch);
    for (Load load : experiment.loads()) {
      Map<String, Pool> pools = new LinkedHashMap<>();
      for (long seed : experiment.seeds()) {
        for (int round = 1; round <= experiment.rounds(); round++) {
          Map<String, Histogram> latencies = new LinkedHashMap<>();
          for (Arm arm : shuffled(seed, round)) {
            armSwitch.to(arm);
            double start = (System.nanoTime() - startNanos + experiment.warmUpNanos()) / 1e9;
            Turn turn = new Turn(arm, load, seed, round, start);
            Pool pool = pools.computeIfAbsent(arm.name(), n -> new Pool(files.key(turn)));
            Bench bench = benches.of(arm);
            Pool.Entry entry = measure(bench, files, turn);
            pool.add(entry);
            latencies.put(arm.name(), entry.result().all().latencyNanos());
            bench.cluster().checkAlive();
            turnsDone++;
          }
          progress.step(
              RoundWords.of(
                  "round " + round + " of " + experiment.rounds(),
                  (System.nanoTime() - startNanos) / SECOND,
                  experiment.arms(),
                  latencies));
        }
      }
      for (Arm arm : experiment.arms()) {
        Pool pool = pools.get(arm.name());
        files.pooled(pool);
        if (pool.saturated()) {
          progress.step(arm.name() + " is saturated at " + load.label() + " and not compared");
        }
      }
    }
    if (experiment.saturation() != null) {
      long seed = experiment.seeds().get(0);
      double rate = experiment.requestsPerSecond(experiment.loads().get(0), workload);
      new SaturationSearches(experiment, workload, benches, progress)
          .run(
              armSwitch,
              repeat -> shuffled(seed, repeat),
              loadSettings(experiment.warmUpNanos(), experiment.windowNanos(rate)),
              files);
    }
  }

  /** A cold node is slower by far than any policy could make it; each cluster gets all of it. */
  private void settle(Benches benches, ArmSwitch armSwitch) throws InterruptedException {
    for (Bench bench : benches.all()) {
      List<Arm> here = experiment.arms().stream().filter(arm -> benches.of(arm) == bench).toList();
      settle(bench, here, armSwitch);
    }
  }

  private void settle(Bench bench, List<Arm> arms, ArmSwitch armSwitch)
      throws InterruptedException {
    long nanosEach = experiment.settleNanos() / arms.size();
    if (nanosEach == 0) {
      return;
    }
    for (Arm arm : arms) {
      progress.now("settling: " + arm.name());
      armSwitch.to(arm);
      Load load = experiment.settleLoad();
      LoadResult result =
          new LoadRun(
                  workload.stream(
                      experiment.streamRate(load, workload),
                      streamSeed(experiment.seeds().get(0), 0)),
                  bench.target(arm.paged()),
                  loadSettings(0, nanosEach),
                  look -> {})
              .closed(load.clients())
              .run();
      if (result.all().ok() == 0) {
        throw new RunException(
            "arm " + arm.name() + " answers nothing while settling: " + result.failures());
      }
    }
  }

  private LoadSettings loadSettings(long warmUpNanos, long windowNanos) {
    return new LoadSettings(
        warmUpNanos,
        windowNanos,
        experiment.client().timeoutNanos(),
        experiment.client().maxOutstanding(),
        Math.min(SECOND, Math.max(windowNanos / 4, SECOND / 20)),
        experiment.classes(),
        experiment.workload().narrowMaxReads());
  }

  /** Each round has its own random order, the same in every run of the same seed. */
  private List<Arm> shuffled(long seed, int round) {
    List<Arm> arms = new ArrayList<>(experiment.arms());
    Collections.shuffle(arms, new Random(streamSeed(seed, round)));
    return arms;
  }

  private static long streamSeed(long seed, int round) {
    return seed * 1_000_003 + round;
  }

  private Pool.Entry measure(Bench bench, ResultFiles files, Turn turn)
      throws IOException, InterruptedException {
    double rate = experiment.requestsPerSecond(turn.load(), workload);
    long windowNanos = experiment.windowNanos(rate);
    Sampler sampler = new Sampler(bench);
    boolean manyLoads = experiment.loads().size() > 1;
    Watch watch =
        new Watch(
            sampler,
            turn,
            String.format(
                "[%d/%d] %s  round %d of %d  %s",
                turnsDone + 1,
                turns(experiment.loads().size()),
                turn.load().label(),
                turn.round(),
                experiment.rounds(),
                turn.arm().name()),
            manyLoads ? "@" + turn.load().label() : "",
            bench,
            windowNanos,
            progress);
    LoadSettings settings = loadSettings(experiment.warmUpNanos(), windowNanos);
    long streamSeed = streamSeed(turn.seed(), turn.round());
    LoadRun requests =
        new LoadRun(
                workload.stream(experiment.streamRate(turn.load(), workload), streamSeed),
                bench.target(turn.arm().paged()),
                settings,
                watch)
            .closed(turn.load().clients());
    MixedRun run =
        new MixedRun(
            requests,
            settings,
            experiment.background(),
            bench.table(),
            experiment.workload(),
            streamSeed);
    LoadResult result;
    try (TurnEvents events = TurnEvents.prepare(experiment.events(), bench.cluster().pids())) {
      events.begin(System.nanoTime() + experiment.warmUpNanos());
      result = run.run();
      for (MetricRow mark : events.marks(files.key(turn))) {
        files.metric(mark);
      }
    }
    Map<String, Double> metrics = metrics(bench, files, turn, watch, result);
    if (turn.arm().acts()) {
      metrics.putAll(TurnMetrics.counters(watch.countersAtStart(), sampler.counters()));
    }
    files.turn(turn, result, metrics, watch.timeline());
    return new Pool.Entry(turn.seed(), turn.round(), result, metrics);
  }

  private Map<String, Double> metrics(
      Bench bench, ResultFiles files, Turn turn, Watch watch, LoadResult result) {
    double readsPerSecond =
        result.all().reads() / result.windowSeconds() * experiment.replicasPerRead();
    Map<String, Double> metrics =
        TurnMetrics.of(watch.samples(), bench.cluster().settings(), readsPerSecond);
    RowKey key = files.key(turn);
    for (MetricRow row : result.metrics(key)) {
      metrics.put(row.metric(), row.value());
    }
    return metrics;
  }
}
