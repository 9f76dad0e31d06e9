/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Closer;
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
 * The clusters of an experiment's arms: one with the plugin, and one without Manx if an arm is in
 * mode {@code absent}. Both hold the same data; only one is in use at a time.
 */
final class LoadedClusters implements AutoCloseable {
  /** The cluster with the plugin; null if every arm is absent. */
  private final LoadedCluster plugged;

  /** The cluster without Manx; null if none of the arms is absent. */
  private final LoadedCluster bare;

  private LoadedClusters(LoadedCluster plugged, LoadedCluster bare) {
    this.plugged = plugged;
    this.bare = bare;
  }

  /** Boots the nodes for the arms; the nodes end with this object. */
  static LoadedClusters boot(
      ClusterExperiment experiment, Workload workload, ManxHome home, Path work, Progress progress)
      throws InterruptedException {
    boolean absent = experiment.arms().stream().anyMatch(LoadedClusters::isBare);
    boolean present = !experiment.arms().stream().allMatch(LoadedClusters::isBare);
    ClusterSettings settings = experiment.cluster();
    try (Closer<RuntimeException> undo = new Closer<>()) {
      LoadedCluster plugged =
          present ? LoadedCluster.boot(settings, experiment, workload, home, work, progress) : null;
      if (plugged != null) {
        undo.add(plugged::close);
      }
      LoadedCluster bare =
          absent
              ? LoadedCluster.boot(
                  settings.withoutPlugin(), experiment, workload, home, work, progress)
              : null;
      undo.release();
      return new LoadedClusters(plugged, bare);
    }
  }

  /**
   * Uses nodes that already run; they keep running.
   *
   * @throws RunException if an arm is absent: running nodes either all have the plugin or none has
   *     it
   */
  static LoadedClusters on(
      LocalCluster cluster, ClusterExperiment experiment, Workload workload, Progress progress)
      throws InterruptedException {
    for (ClusterArm arm : experiment.arms()) {
      if (isBare(arm)) {
        throw new RunException(
            "arm "
                + arm.name()
                + " needs nodes without the plugin, in addition to the running "
                + "ones");
      }
    }
    return new LoadedClusters(
        LoadedCluster.on(cluster, false, experiment, workload, progress), null);
  }

  /** Whether an arm needs the cluster without Manx. */
  static boolean isBare(ClusterArm arm) {
    return arm.mode() == ClusterArm.Mode.ABSENT;
  }

  LoadedCluster of(ClusterArm arm) {
    return isBare(arm) ? bare : plugged;
  }

  /** One or two clusters. */
  List<LoadedCluster> all() {
    return Stream.of(plugged, bare).filter(Objects::nonNull).toList();
  }

  @Override
  public void close() {
    try (Closer<RuntimeException> all = new Closer<>()) {
      all().forEach(one -> all.add(one::close));
    }
  }
}
