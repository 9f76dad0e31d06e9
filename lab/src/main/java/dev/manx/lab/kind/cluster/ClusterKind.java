/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.contention.squeeze.Schedule;
import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.KindWords.Note;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.Quiet;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import dev.manx.workload.Workload;
import dev.manx.workload.result.RowKey;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Experiments {@code on: cluster}; examples/reference.yaml shows every key. */
public final class ClusterKind {
  /** The words of the report. */
  public static final KindWords WORDS =
      new KindWords(
          "cluster",
          "load",
          "Latency of whole fan-out requests, from the intended start of each (in a closed loop,"
              + " from its sending) until its last read was answered.",
          List.of(
              KindWords.openLoop("read"),
              new Note(
                  "Rounds.",
                  "All arms run in every round, one after another in a balanced random order, on "
                      + "the same"
                      + " nodes with the same data and the same sequence of requests. After each"
                      + " switch a warm-up is discarded. Drift of the machine then hits all arms"
                      + " alike, and arms are compared inside rounds only.")),
          false,
          true,
          "Every value carries its key, a version and a checksum, and every returned row is "
              + "verified; the column wrong counts rows that were wrong,"
              + " missing or duplicated.");

  private static final long SECOND = 1_000_000_000L;
  private static final long BOOT_NANOS = 45 * SECOND;
  private static final int QUICK_ROUNDS = 3;
  private static final long QUICK_WINDOW_NANOS = 3 * SECOND;
  private static final long QUICK_SETTLE_NANOS = 3 * SECOND;
  private static final long QUICK_WARM_UP_NANOS = SECOND;
  private static final int QUICK_TRIALS = 4;
  private static final int QUICK_REPEATS = 2;

  private ClusterKind() {}

  /**
   * Reads a file.
   *
   * @param work folder of the nodes' files during a run
   * @throws ConfigException if a setting is invalid
   */
  public static Experiment<ClusterArm, Load> read(
      ExperimentSource source, ManxHome home, Path work) {
    return booted(experiment(source.file(), source.choices()), home, work);
  }

  /** An experiment on separate nodes. */
  public static Experiment<ClusterArm, Load> booted(
      ClusterExperiment experiment, ManxHome home, Path work) {
    return design(
        experiment,
        (workload, progress) -> LoadedClusters.boot(experiment, workload, home, work, progress));
  }

  /** An experiment on nodes that already run, instead of its cluster; they keep running. */
  public static Experiment<ClusterArm, Load> on(
      LocalCluster cluster, ClusterExperiment experiment) {
    return design(
        experiment,
        (workload, progress) -> LoadedClusters.on(cluster, experiment, workload, progress));
  }

  private static Experiment<ClusterArm, Load> design(
      ClusterExperiment experiment, ClusterPlayer.Boot boot) {
    Workload workload = new Workload(experiment.workload());
    List<Arm<ClusterArm>> arms =
        experiment.arms().stream()
            .map(arm -> new Arm<>(arm.name(), arm.description(), arm))
            .toList();
    return new Experiment<>(
        experiment.head(),
        experiment.loads().stream().map(load -> point(load, experiment.rounds(), arms)).toList(),
        Experiment.Order.INTERLEAVED,
        Quiet.ANY,
        effort(experiment, workload),
        ClusterExperimentWriter.text(experiment),
        progress -> ClusterPlayer.start(experiment, workload, progress, boot));
  }

  private static Point<ClusterArm, Load> point(Load load, int rounds, List<Arm<ClusterArm>> arms) {
    return new Point<>(load.label(), RowKey.ALL, "", true, rounds, arms, List.of(), load);
  }

  private static String effort(ClusterExperiment experiment, Workload workload) {
    long clusters = experiment.arms().stream().map(LoadedClusters::isBare).distinct().count();
    double nanos = clusters * (double) (experiment.settleNanos() + BOOT_NANOS);
    int turns = experiment.head().seeds().size() * experiment.rounds() * experiment.arms().size();
    for (Load load : experiment.loads()) {
      double rate = experiment.requestsPerSecond(load, workload);
      nanos += turns * (double) (experiment.warmUpNanos() + experiment.windowNanos(rate) + SECOND);
    }
    double first = experiment.requestsPerSecond(experiment.loads().get(0), workload);
    String requests =
        Double.isNaN(first)
            ? ""
            : String.format(
                "about %.0f requests each, ", first * experiment.windowNanos(first) / SECOND);
    return requests
        + String.format("some %.0f min", minutes(nanos))
        + saturation(experiment, first);
  }

  /** A search ends earlier if it has found the rate. */
  private static String saturation(ClusterExperiment experiment, double perSecond) {
    SaturationGoal goal = experiment.saturation();
    if (goal == null) {
      return "";
    }
    double trials = (double) experiment.arms().size() * goal.repeats() * goal.trials();
    long trial = experiment.warmUpNanos() + experiment.windowNanos(perSecond) + SECOND;
    return String.format(
        ", then up to %.0f min of trials for the saturation", minutes(trials * trial));
  }

  private static double minutes(double nanos) {
    return Math.ceil(nanos / SECOND / 60);
  }

  /**
   * Reads a file and applies the choices of the command line.
   *
   * @throws ConfigException if the file or a choice is invalid
   */
  public static ClusterExperiment experiment(Path file, Choices choices) {
    Map<String, String> overrides = new LinkedHashMap<>(choices.settings());
    if (choices.quick()) {
      overrides.put("quick", "true");
    }
    ClusterExperiment all = ClusterExperimentReader.read(file, overrides);
    List<String> names =
        CommonSettings.chosen(
            choices.arms(), all.arms().stream().map(ClusterArm::name).toList(), file.toString());
    List<ClusterArm> some = all.arms().stream().filter(arm -> names.contains(arm.name())).toList();
    if (!all.cluster().plugin() && some.stream().anyMatch(ClusterArm::acts)) {
      throw new ConfigException(
          file.toString(),
          0,
          "cluster.plugin",
          "false",
          "true, since an arm is in mode on or shadow");
    }
    return chosen(all, some, choices);
  }

  private static ClusterExperiment chosen(
      ClusterExperiment all, List<ClusterArm> chosen, Choices choices) {
    double shorter = choices.quick() && !choices.gives("window") ? quickShare(all) : 1;
    return new ClusterExperiment(
        all.head().of(chosen.stream().map(ClusterArm::name).toList()),
        all.cluster(),
        all.replicationFactor(),
        all.workload(),
        all.client(),
        all.background(),
        all.classes(),
        all.loads(),
        (int) choices.shortened("rounds", all.rounds(), QUICK_ROUNDS),
        choices.shortened("settle", all.settleNanos(), QUICK_SETTLE_NANOS),
        all.settleLoad(),
        choices.shortened("warm-up", all.warmUpNanos(), QUICK_WARM_UP_NANOS),
        Math.round(all.windowNanos() * shorter),
        all.requests(),
        shorter < 1
            ? all.events().stream().map(event -> event.scaled(shorter)).toList()
            : all.events(),
        chosen,
        shortened(all.saturation(), choices));
  }

  private static SaturationGoal shortened(SaturationGoal goal, Choices choices) {
    return goal == null
        ? null
        : new SaturationGoal(
            goal.percentile(),
            goal.atMostNanos(),
            goal.tolerance(),
            (int) choices.shortened("saturation.trials", goal.trials(), QUICK_TRIALS),
            (int) choices.shortened("saturation.repeats", goal.repeats(), QUICK_REPEATS));
  }

  /** The fraction of the file's window in a quick run: events keep their minimum length. */
  private static double quickShare(ClusterExperiment all) {
    if (all.windowNanos() <= QUICK_WINDOW_NANOS) {
      return 1;
    }
    double share = (double) QUICK_WINDOW_NANOS / all.windowNanos();
    for (NodeEvent event : all.events()) {
      // Slightly more, because nanoseconds are truncated.
      share = Math.max(share, (Schedule.LEAST_NANOS + 1.0) / event.forNanos());
    }
    return Math.min(1, share);
  }
}
