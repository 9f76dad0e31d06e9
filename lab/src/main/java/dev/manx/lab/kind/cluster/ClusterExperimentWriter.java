/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static dev.manx.lab.experiment.YamlText.nanos;
import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.lab.cluster.ClusterSettings;
import dev.manx.lab.cluster.StorageLimits;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.WorkloadReader;
import dev.manx.lab.experiment.YamlText;
import dev.manx.workload.RequestClass;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes an experiment with every value in place; reading that gives the same experiment. */
public final class ClusterExperimentWriter {
  private ClusterExperimentWriter() {}

  /** The text of {@code experiment.yaml}. */
  public static String text(ClusterExperiment experiment) {
    Map<String, Object> top = experiment.head().written();
    top.put("cluster", cluster(experiment));
    if (experiment.cluster().model() != null) {
      top.put("service-model", ServiceModelReader.written(experiment.cluster().model()));
    }
    if (experiment.cluster().storage() != null) {
      StorageLimits storage = experiment.cluster().storage();
      Map<String, Object> written =
          ordered(
              "page-cache",
              storage.pageCacheBytes() + "B",
              "reads-per-second",
              storage.readsPerSecond());
      if (storage.cores() > 0) {
        written.put("cores", storage.cores());
      }
      top.put("storage", written);
    }
    top.put("workload", WorkloadReader.written(experiment.workload()));
    top.put(
        "client",
        ordered(
            "consistency", experiment.client().consistency(),
            "coordinators", experiment.client().coordinators(),
            "timeout", nanos(experiment.client().timeoutNanos()),
            "max-outstanding", experiment.client().maxOutstanding()));
    if (!experiment.background().rates().isEmpty()) {
      top.put("background", BackgroundReader.written(experiment.background()));
    }
    top.put("classes", experiment.classes().stream().map(RequestClass::label).toList());
    top.put("loads", experiment.loads().stream().map(Load::label).toList());
    top.put("seeds", experiment.head().seeds());
    top.put("rounds", experiment.rounds());
    top.put("settle", nanos(experiment.settleNanos()));
    top.put("settle-load", experiment.settleLoad().label());
    top.put("warm-up", nanos(experiment.warmUpNanos()));
    if (experiment.windowNanos() > 0) {
      top.put("window", nanos(experiment.windowNanos()));
    } else {
      top.put("requests", experiment.requests());
    }
    if (!experiment.events().isEmpty()) {
      top.put("events", experiment.events().stream().map(NodeEvent::written).toList());
    }
    if (experiment.saturation() != null) {
      SaturationGoal goal = experiment.saturation();
      top.put(
          "saturation",
          ordered(
              "percentile", goal.percentile(),
              "at-most", nanos(goal.atMostNanos()),
              "tolerance", goal.tolerance(),
              "trials", goal.trials(),
              "repeats", goal.repeats()));
    }
    Map<String, Object> arms = new LinkedHashMap<>();
    experiment.arms().forEach(arm -> arms.put(arm.name(), arm(arm)));
    top.put("arms", arms);
    return YamlText.of(top);
  }

  private static Map<String, Object> cluster(ClusterExperiment experiment) {
    ClusterSettings cluster = experiment.cluster();
    Map<String, Object> out =
        ordered(
            "nodes", cluster.nodes(),
            "replication-factor", experiment.replicationFactor(),
            "concurrent-reads", cluster.concurrentReads(),
            "heap", cluster.heapBytes() + "B",
            "tokens", cluster.tokens(),
            "read-timeout", nanos(cluster.readTimeoutNanos()),
            "jit", cluster.jit(),
            "plugin", cluster.plugin());
    if (cluster.topology().isDivided()) {
      out.put("datacenters", cluster.topology().datacenters());
      out.put("racks", cluster.topology().racks());
    }
    if (cluster.coordinatorsOnly() > 0) {
      out.put("coordinators-only", cluster.coordinatorsOnly());
    }
    if (cluster.heapBytes() % (1 << 20) == 0) {
      out.put("heap", (cluster.heapBytes() >> 20) + "MiB");
    }
    if (!cluster.cassandraYaml().isEmpty()) {
      out.put("cassandra-yaml", cluster.cassandraYaml());
    }
    if (!cluster.jvmOptions().isEmpty()) {
      out.put("jvm-options", cluster.jvmOptions());
    }
    return out;
  }

  private static Map<String, Object> arm(ClusterArm arm) {
    Map<String, Object> out = ordered("mode", arm.mode().label());
    if (!arm.description().isEmpty()) {
      out.put("description", arm.description());
    }
    out.putAll(arm.stock().written());
    arm.driver().ifPresent(driver -> out.put("driver", ArmDriver.written(driver)));
    out.put("paging", arm.paged() ? "driver-default" : "off");
    if (!arm.strategy().isEmpty()) {
      out.put("strategy", arm.strategy());
    }
    return out;
  }
}
