/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.cluster.ClusterSettings;
import dev.manx.policy.config.Units;
import dev.manx.workload.Fanout;
import dev.manx.workload.Popularity;
import dev.manx.workload.RequestClass;
import dev.manx.workload.WorkloadSpec;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes an experiment with every value in place; reading that gives the same experiment. */
public final class ExperimentWriter {
  private ExperimentWriter() {}

  /** The text of {@code experiment.yaml}. */
  public static String text(Experiment experiment) {
    Map<String, Object> top = new LinkedHashMap<>();
    top.put("experiment", experiment.name());
    if (!experiment.description().isEmpty()) {
      top.put("description", experiment.description());
    }
    top.put("on", "cluster");
    top.put("quick", experiment.quick());
    top.put("baseline", experiment.baseline());
    top.put("cluster", cluster(experiment));
    if (experiment.cluster().model() != null) {
      top.put("service-model", ServiceModelReader.written(experiment.cluster().model()));
    }
    top.put("workload", workload(experiment.workload()));
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
    top.put("seeds", experiment.seeds());
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
      top.put("events", experiment.events().stream().map(SqueezeEvent::written).toList());
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

  private static Map<String, Object> cluster(Experiment experiment) {
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

  /** A workload with every value in place. */
  public static Map<String, Object> workload(WorkloadSpec spec) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("keys", spec.keys());
    out.put(
        "values",
        spec.sizes().stream()
            .map(size -> ordered("bytes", size.valueBytes() + "B", "share", size.share()))
            .toList());
    out.put("large-from", spec.largeFromBytes() + "B");
    out.put("data-seed", spec.dataSeed());
    out.put(
        "popularity",
        spec.popularity() instanceof Popularity.Zipf zipf
            ? ordered("zipf", zipf.exponent())
            : "uniform");
    out.put("fan-out", fanout(spec.fanout()));
    out.put("arrivals", spec.arrivals().name().toLowerCase(Locale.ROOT));
    out.put("narrow-to", spec.narrowMaxReads());
    return out;
  }

  private static Map<String, Object> fanout(Fanout fanout) {
    if (fanout instanceof Fanout.Fixed fixed) {
      return ordered("kind", "fixed", "reads", fixed.reads());
    }
    if (fanout instanceof Fanout.Lognormal lognormal) {
      return ordered(
          "kind", "lognormal",
          "mu", lognormal.mu(),
          "sigma", lognormal.sigma(),
          "max", lognormal.maxReads());
    }
    Fanout.Zeta zeta = (Fanout.Zeta) fanout;
    return ordered(
        "kind", "heavy-tailed",
        "single", zeta.singleShare(),
        "mean", zeta.meanReads(),
        "max", zeta.maxReads());
  }

  private static Map<String, Object> arm(Arm arm) {
    Map<String, Object> out = ordered("mode", arm.mode().label());
    if (!arm.description().isEmpty()) {
      out.put("description", arm.description());
    }
    out.put("paging", arm.paged() ? "driver-default" : "off");
    if (!arm.strategy().isEmpty()) {
      out.put("strategy", arm.strategy());
    }
    return out;
  }

  /** As people write it where that is exact, else in nanoseconds. */
  public static String nanos(long nanos) {
    String nice = Units.duration(nanos);
    return Units.durationNanos(nice).orElse(-1) == nanos ? nice : nanos + "ns";
  }

  /** A mapping of alternating keys and values, in their order. */
  public static Map<String, Object> ordered(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(String.valueOf(pairs[i]), pairs[i + 1]);
    }
    return map;
  }
}
