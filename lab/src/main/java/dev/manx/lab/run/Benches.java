/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.run;

import dev.manx.lab.cluster.ClusterSettings;
import dev.manx.lab.cluster.LocalCluster;
import dev.manx.lab.cluster.ManxHome;
import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.Experiment;
import dev.manx.workload.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The clusters that an experiment's arms play on: one with the plugin, and beside it one that has
 * never heard of Manx where an arm is in mode {@code absent}. Both hold the same data; only one
 * works at a time.
 */
final class Benches implements AutoCloseable {
  /** Null if every arm is absent. */
  private final Bench plugged;

  /** Null if no arm is absent. */
  private final Bench bare;

  private Benches(Bench plugged, Bench bare) {
    this.plugged = plugged;
    this.bare = bare;
  }

  /** Boots what the arms need; the nodes end with the benches. */
  static Benches boot(
      Experiment experiment, Workload workload, ManxHome home, Path work, Progress progress)
      throws InterruptedException {
    boolean absent = experiment.arms().stream().anyMatch(arm -> arm.mode() == Arm.Mode.ABSENT);
    boolean present = experiment.arms().stream().anyMatch(arm -> arm.mode() != Arm.Mode.ABSENT);
    ClusterSettings settings = experiment.cluster();
    Bench plugged =
        present ? Bench.boot(settings, experiment, workload, home, work, progress) : null;
    boolean ready = false;
    try {
      Bench bare =
          absent
              ? Bench.boot(settings.withoutPlugin(), experiment, workload, home, work, progress)
              : null;
      ready = true;
      return new Benches(plugged, bare);
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
  static Benches on(
      LocalCluster cluster, Experiment experiment, Workload workload, Progress progress)
      throws InterruptedException {
    for (Arm arm : experiment.arms()) {
      if (arm.mode() == Arm.Mode.ABSENT) {
        throw new RunException(
            "arm " + arm.name() + " needs nodes without the plugin, beside those that run");
      }
    }
    return new Benches(Bench.on(cluster, false, experiment, workload, progress), null);
  }

  /** Where an arm plays. */
  Bench of(Arm arm) {
    return arm.mode() == Arm.Mode.ABSENT ? bare : plugged;
  }

  /** One or two. */
  List<Bench> all() {
    return Stream.of(plugged, bare).filter(Objects::nonNull).toList();
  }

  @Override
  public void close() {
    all().forEach(Bench::close);
  }
}
