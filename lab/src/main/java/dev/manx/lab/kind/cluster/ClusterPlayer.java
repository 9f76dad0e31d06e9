/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.contention.squeeze.SqueezeException;
import dev.manx.contention.squeeze.SqueezedProcess;
import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.experiment.Stopwatch;
import dev.manx.lab.experiment.Turn;
import dev.manx.lab.kind.LoadMeasured;
import dev.manx.lab.kind.TimedRun;
import dev.manx.load.LoadProgress;
import dev.manx.load.LoadResult;
import dev.manx.load.LoadRun;
import dev.manx.load.LoadSettings;
import dev.manx.load.MixedRun;
import dev.manx.load.RequestEnds;
import dev.manx.local.cluster.NodeJava;
import dev.manx.workload.Workload;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/** Plays arms on nodes that hold the experiment's data; arms are switched live. */
final class ClusterPlayer implements Player<ClusterArm, Load> {
  private static final long SECOND = 1_000_000_000L;

  private final ClusterExperiment experiment;
  private final Workload workload;
  private final Progress progress;
  private final LoadedClusters clusters;
  private final ArmSwitch armSwitch;
  private final Stopwatch sinceStart = new Stopwatch();

  /** Provides nodes that hold the data. */
  interface Boot {
    LoadedClusters boot(Workload workload, Progress progress) throws InterruptedException;
  }

  private ClusterPlayer(
      ClusterExperiment experiment, Workload workload, Progress progress, LoadedClusters clusters) {
    this.experiment = experiment;
    this.workload = workload;
    this.progress = progress;
    this.clusters = clusters;
    armSwitch = new ArmSwitch(clusters);
  }

  /**
   * Boots the nodes and loads them.
   *
   * @throws RunException if a node does not start or data is wrong
   * @throws SqueezeException if the events need missing permissions
   */
  static ClusterPlayer start(
      ClusterExperiment experiment, Workload workload, Progress progress, Boot boot)
      throws InterruptedException {
    boolean boosts =
        experiment.events().stream()
            .anyMatch(
                event -> event instanceof SqueezeEvent squeeze && squeeze.squeeze().boost() > 0);
    if (boosts && !SqueezedProcess.mayBoost()) {
      throw new SqueezeException("The events set nice levels. " + SqueezedProcess.HOW_TO_PERMIT);
    }
    Stopwatch sinceBegin = new Stopwatch();
    LoadedClusters clusters = boot.boot(workload, progress);
    progress.step(
        clusters.all().stream().mapToInt(cluster -> cluster.nodes().size()).sum()
            + " nodes up, "
            + workload.keySpace().keys()
            + " keys loaded and verified, after "
            + (long) sinceBegin.seconds()
            + " s");
    return new ClusterPlayer(experiment, workload, progress, clusters);
  }

  /**
   * A cold node is much slower than any policy could make it; each cluster gets the full settling
   * time.
   */
  @Override
  public void settle(Arm<ClusterArm> arm) throws InterruptedException {
    LoadedCluster cluster = clusters.of(arm.settings());
    long here = experiment.arms().stream().filter(other -> clusters.of(other) == cluster).count();
    long nanos = experiment.settleNanos() / here;
    if (nanos == 0) {
      return;
    }
    LoadSettings settings = loadSettings(0, nanos);
    long seed = experiment.head().seeds().get(0) * 1_000_003;
    LoadResult result =
        cluster.whileAlive(
            () -> {
              armSwitch.to(arm.settings());
              cluster.storage().ifPresent(NodeStorage::warm);
              LoadResult settled =
                  run(
                          arm.settings(),
                          experiment.settleLoad(),
                          cluster,
                          settings,
                          seed,
                          look -> {},
                          RequestEnds.IGNORED)
                      .run();
              armSwitch.still(arm.settings());
              return settled;
            });
    LoadMeasured.settled(arm.name(), result);
  }

  @Override
  public Measured play(Turn<ClusterArm, Load> turn, Consumer<String> now)
      throws InterruptedException {
    LoadedCluster cluster = clusters.of(turn.arm().settings());
    return cluster.whileAlive(() -> play(turn, cluster, now));
  }

  private Measured play(Turn<ClusterArm, Load> turn, LoadedCluster cluster, Consumer<String> now)
      throws InterruptedException {
    ClusterArm arm = turn.arm().settings();
    Load load = turn.point().settings();
    armSwitch.to(arm);
    double start = sinceStart.seconds() + experiment.warmUpNanos() / 1e9;
    long window = experiment.window().nanos(experiment.requestsPerSecond(load, workload));
    ClusterEventHost host = new ClusterEventHost(cluster, armSwitch, arm, System::nanoTime);
    ProcessSampler sampler = new ProcessSampler(cluster, host.presence());
    LoadSettings settings = loadSettings(experiment.warmUpNanos(), window);
    try (TurnEvents events =
            TurnEvents.prepare(experiment.events(), experiment.warmUpNanos(), host);
        TimedRun storage = NodeStorage.turn(cluster.storage())) {
      Watch watch = new Watch(sampler, cluster, experiment.warmUpNanos(), window, now);
      MixedRun run = run(arm, load, cluster, settings, turn.streamSeed(), watch, events::ended);
      long windowStart = System.nanoTime() + experiment.warmUpNanos();
      storage.begin(windowStart);
      events.begin(windowStart);
      Measured measured = measured(load, start, run.run(), watch, cluster);
      events.marks(measured);
      storage.check();
      armSwitch.still(arm, host.presence());
      if (arm.acts()) {
        measured.metrics(TurnMetrics.countersByNode(watch.countersAtStart(), sampler.counters()));
      }
      return measured;
    }
  }

  /** The requests of a load, with the nodes' background work. */
  private MixedRun run(
      ClusterArm arm,
      Load load,
      LoadedCluster cluster,
      LoadSettings settings,
      long seed,
      LoadProgress.Listener listener,
      RequestEnds ends) {
    LoadRun requests =
        new LoadRun(
                workload.stream(experiment.streamRate(load, workload), seed),
                cluster.target(arm),
                settings,
                listener)
            .closed(load.clients())
            .ends(ends);
    return new MixedRun(
        requests, settings, experiment.background(), cluster.table(), experiment.workload(), seed);
  }

  private Measured measured(
      Load load, double start, LoadResult result, Watch watch, LoadedCluster cluster) {
    double readsPerSecond =
        // With background work the nodes' CPU time is not that of the reads alone.
        experiment.background().rates().isEmpty()
            ? result.all().reads() / result.windowSeconds() * experiment.replicasPerRead()
            : 0;
    Map<String, Double> metrics =
        watch
            .span()
            .map(
                span ->
                    TurnMetrics.of(
                        span,
                        cluster.cluster().settings(),
                        experiment.servingNodes().toArray(),
                        readsPerSecond))
            .orElse(Map.of());
    // A closed loop uses all available capacity, and a better arm uses more of it.
    double utilisationPct =
        load.isClosed() ? Double.NaN : metrics.getOrDefault(Saturation.UTILISATION, Double.NaN);
    return LoadMeasured.of(start, result, utilisationPct)
        .metrics(metrics)
        .timeline(watch.timeline());
  }

  private LoadSettings loadSettings(long warmUpNanos, long windowNanos) {
    return new LoadSettings(
        warmUpNanos,
        windowNanos,
        experiment.client().timeoutNanos(),
        experiment.client().maxOutstanding(),
        LoadSettings.progressEveryNanos(
            windowNanos, Math.min(SECOND, Math.max(windowNanos / 4, SECOND / 20))),
        experiment.classes(),
        experiment.workload().narrowMaxReads());
  }

  @Override
  public void further(Rows rows) throws InterruptedException, IOException {
    if (experiment.saturation() != null) {
      double rate = experiment.requestsPerSecond(experiment.loads().get(0), workload);
      new SaturationSearches(experiment, workload, clusters, progress)
          .run(
              armSwitch,
              loadSettings(experiment.warmUpNanos(), experiment.window().nanos(rate)),
              rows);
    }
  }

  @Override
  public Map<String, String> conditions() {
    return Map.of("nodes' Java", NodeJava.version());
  }

  @Override
  public Map<String, String> environment() {
    return Environments.settings(experiment, workload, clusters.all().get(0));
  }

  @Override
  public void close() {
    clusters.close();
  }
}
