/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.KindWords.Note;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Quiet;
import dev.manx.lab.experiment.SweepPoint;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import dev.manx.workload.Workload;
import dev.manx.workload.result.RowKey;
import java.nio.file.Path;
import java.util.List;

/** Experiments {@code on: cluster}; examples/reference.yaml shows every key. */
public final class ClusterKind {
  public static final KindWords WORDS =
      new KindWords(
          "cluster",
          "load",
          "Latency of whole fan-out requests, from the intended start of each (in a closed loop,"
              + " from the end of its client's last one) until its last read was answered.",
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
          true,
          "Every value carries its key, a version and a checksum, and every returned row is "
              + "verified; the column wrong counts rows that were wrong,"
              + " missing or duplicated.",
          KindWords.BY_UTILISATION);

  private static final long SECOND = 1_000_000_000L;
  private static final long BOOT_NANOS = 45 * SECOND;

  private ClusterKind() {}

  /**
   * Reads a file.
   *
   * @param work folder of the nodes' files during a run
   * @throws ConfigException if a setting is invalid
   */
  public static Experiment<ClusterArm, Load> read(
      ExperimentSource source, ManxHome home, Path work) {
    return booted(ClusterExperimentReader.read(source), home, work);
  }

  /** An experiment on separate nodes. */
  public static Experiment<ClusterArm, Load> booted(
      ClusterExperiment experiment, ManxHome home, Path work) {
    List<Path> jars =
        experiment.cluster().model() == null
            ? List.of(home.pluginJar())
            : List.of(home.pluginJar(), home.labJar());
    return design(
        experiment,
        jars,
        (workload, progress) -> LoadedClusters.boot(experiment, workload, home, work, progress));
  }

  /** An experiment on nodes that already run, instead of its cluster; they keep running. */
  public static Experiment<ClusterArm, Load> on(
      LocalCluster cluster, ClusterExperiment experiment) {
    return design(
        experiment,
        List.of(),
        (workload, progress) -> LoadedClusters.on(cluster, experiment, workload, progress));
  }

  private static Experiment<ClusterArm, Load> design(
      ClusterExperiment experiment, List<Path> jars, ClusterPlayer.Boot boot) {
    Workload workload = new Workload(experiment.workload());
    List<Arm<ClusterArm>> arms =
        experiment.arms().stream()
            .map(arm -> new Arm<>(arm.name(), arm.description(), arm))
            .toList();
    return new Experiment<>(
        experiment.head(),
        experiment.loads().stream()
            .map(
                load ->
                    SweepPoint.NONE.at(load.label(), RowKey.ALL, experiment.rounds(), arms, load))
            .toList(),
        Experiment.Order.INTERLEAVED,
        Quiet.ANY,
        effort(experiment, workload),
        experiment.text(),
        Experiment.Stage.withNodes(
            jars, progress -> ClusterPlayer.start(experiment, workload, progress, boot)));
  }

  private static String effort(ClusterExperiment experiment, Workload workload) {
    long clusters = experiment.arms().stream().map(LoadedClusters::isBare).distinct().count();
    double nanos = clusters * (double) (experiment.settleNanos() + BOOT_NANOS);
    int turns = experiment.head().seeds().size() * experiment.rounds() * experiment.arms().size();
    for (Load load : experiment.loads()) {
      double rate = experiment.requestsPerSecond(load, workload);
      nanos +=
          turns * (double) (experiment.warmUpNanos() + experiment.window().nanos(rate) + SECOND);
    }
    double first = experiment.requestsPerSecond(experiment.loads().get(0), workload);
    String requests =
        Double.isNaN(first)
            ? ""
            : String.format(
                "about %.0f requests each, ", first * experiment.window().nanos(first) / SECOND);
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
    long trial = experiment.warmUpNanos() + experiment.window().nanos(perSecond) + SECOND;
    return String.format(
        ", then up to %.0f min of trials for the saturation", minutes(trials * trial));
  }

  private static double minutes(double nanos) {
    return Math.ceil(nanos / SECOND / 60);
  }
}
