/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.RunException;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import dev.manx.workload.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The clusters that an experiment's arms play on: one with the plugin, and beside it one without
 * Manx where an arm is in mode {@code absent}. Both hold the same data; only one works at a time.
 */
final class LoadedClusters implements AutoCloseable {
  /** Null if every arm is absent. */
  private final LoadedCluster plugged;

  /** Null if no arm is absent. */
  private final LoadedCluster bare;

  private LoadedClusters(LoadedCluster plugged, LoadedCluster bare) {
    this.plugged = plugged;
    this.bare = bare;
  }

  /** Boots what the arms need; the nodes end with them. */
  static LoadedClusters boot(
      ClusterExperiment experiment, Workload workload, ManxHome home, Path work, Progress progress)
      throws InterruptedException {
    boolean absent =
        experiment.arms().stream().anyMatch(arm -> arm.mode() == ClusterArm.Mode.ABSENT);
    boolean present =
        experiment.arms().stream().anyMatch(arm -> arm.mode() != ClusterArm.Mode.ABSENT);
    ClusterSettings settings = experiment.cluster();
    LoadedCluster plugged =
        present ? LoadedCluster.boot(settings, experiment, workload, home, work, progress) : null;
    boolean ready = false;
    try {
      LoadedCluster bare =
          absent
              ? LoadedCluster.boot(
                  settings.withoutPlugin(), experiment, workload, home, work, progress)
              : null;
      ready = true;
      return new LoadedClusters(plugged, bare);
    } finally {
      if (!ready && plugged != null) {
        plugged.close();
      }
    }
  }

  /**
   * The same on nodes that run already; they go on.
   *
   * @throws RunException if an arm is absent: nodes that run have the plugin or have it not
   */
  static LoadedClusters on(
      LocalCluster cluster, ClusterExperiment experiment, Workload workload, Progress progress)
      throws InterruptedException {
    for (ClusterArm arm : experiment.arms()) {
      if (arm.mode() == ClusterArm.Mode.ABSENT) {
        throw new RunException(
            "arm " + arm.name() + " needs nodes without the plugin, in addition to those that run");
      }
    }
    return new LoadedClusters(
        LoadedCluster.on(cluster, false, experiment, workload, progress), null);
  }

  /** Where an arm plays. */
  LoadedCluster of(ClusterArm arm) {
    return arm.mode() == ClusterArm.Mode.ABSENT ? bare : plugged;
  }

  /** One or two. */
  List<LoadedCluster> all() {
    return Stream.of(plugged, bare).filter(Objects::nonNull).toList();
  }

  @Override
  public void close() {
    try {
      if (plugged != null) {
        plugged.close();
      }
    } finally {
      if (bare != null) {
        bare.close();
      }
    }
  }
}
