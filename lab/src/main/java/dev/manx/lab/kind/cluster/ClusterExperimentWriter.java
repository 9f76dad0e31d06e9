/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static dev.manx.lab.settings.YamlText.ordered;

import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.WorkloadReader;
import dev.manx.lab.settings.YamlText;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.StorageLimits;
import dev.manx.workload.RequestClass;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes an experiment with every value filled in; reading it gives an equal experiment. */
public final class ClusterExperimentWriter {
  private ClusterExperimentWriter() {}

  /** The text of {@code experiment.yaml}. */
  public static String text(ClusterExperiment experiment) {
    Map<String, Object> top = experiment.head().values();
    top.put("cluster", cluster(experiment));
    if (experiment.cluster().model() != null) {
      top.put("service-model", ServiceModelReader.values(experiment.cluster().model()));
    }
    if (experiment.cluster().storage() != null) {
      StorageLimits storage = experiment.cluster().storage();
      top.put(
          "storage",
          ordered(
              "page-cache",
              storage.pageCacheBytes(),
              "reads-per-second",
              storage.readsPerSecond(),
              "cores",
              storage.cores() > 0 ? storage.cores() : null));
    }
    top.put("workload", WorkloadReader.values(experiment.workload()));
    top.put(
        "client",
        ordered(
            "consistency", experiment.client().consistency(),
            "coordinators", experiment.client().coordinators(),
            "timeout", experiment.client().timeoutNanos(),
            "max-outstanding", experiment.client().maxOutstanding()));
    if (!experiment.background().rates().isEmpty()) {
      top.put("background", BackgroundReader.values(experiment.background()));
    }
    top.put("classes", experiment.classes().stream().map(RequestClass::label).toList());
    top.put("loads", experiment.loads().stream().map(Load::label).toList());
    top.put("seeds", experiment.head().seeds());
    top.put("rounds", experiment.rounds());
    top.put("settle", experiment.settleNanos());
    top.put("settle-load", experiment.settleLoad().label());
    top.put("warm-up", experiment.warmUpNanos());
    if (experiment.windowNanos() > 0) {
      top.put("window", experiment.windowNanos());
    } else {
      top.put("requests", experiment.requests());
    }
    if (!experiment.events().isEmpty()) {
      top.put("events", experiment.events().stream().map(NodeEvent::values).toList());
    }
    if (experiment.saturation() != null) {
      SaturationGoal goal = experiment.saturation();
      top.put(
          "saturation",
          ordered(
              "percentile", goal.percentile(),
              "at-most", goal.atMostNanos(),
              "tolerance", goal.tolerance(),
              "trials", goal.trials(),
              "repeats", goal.repeats()));
    }
    Map<String, Object> arms = new LinkedHashMap<>();
    experiment.arms().forEach(arm -> arms.put(arm.name(), arm(arm)));
    top.put("arms", arms);
    return YamlText.of(ClusterExperimentReader.SECTION.written(top));
  }

  private static Map<String, Object> cluster(ClusterExperiment experiment) {
    ClusterSettings cluster = experiment.cluster();
    return ordered(
        "nodes", cluster.nodes(),
        "replication-factor", experiment.replicationFactor(),
        "concurrent-reads", cluster.concurrentReads(),
        "heap", cluster.heapBytes(),
        "tokens", cluster.tokens(),
        "read-timeout", cluster.readTimeoutNanos(),
        "jit", cluster.jit(),
        "plugin", cluster.plugin(),
        "coordinators-only", (long) cluster.coordinatorsOnly(),
        "cassandra-yaml", cluster.cassandraYaml(),
        "jvm-options", cluster.jvmOptions(),
        "datacenters", cluster.topology().datacenters(),
        "racks", cluster.topology().racks());
  }

  private static Map<String, Object> arm(ClusterArm arm) {
    Map<String, Object> out =
        ordered(
            "mode", arm.mode().label(),
            "description", arm.description(),
            "paging", arm.paged() ? "driver-default" : "off");
    out.putAll(arm.stock().values());
    arm.driver().ifPresent(driver -> out.put("driver", ArmDriver.values(driver)));
    if (!arm.strategy().isEmpty()) {
      out.put("strategy", arm.strategy());
    }
    return out;
  }
}
