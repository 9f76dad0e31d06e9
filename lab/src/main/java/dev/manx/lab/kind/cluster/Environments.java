/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Load;
import dev.manx.load.DriverSettings;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.NodeJava;
import dev.manx.local.cluster.StorageLimits;
import dev.manx.policy.config.Units;
import dev.manx.workload.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The environment of an experiment, for the report. */
final class Environments {
  private Environments() {}

  static Map<String, String> settings(
      ClusterExperiment experiment, Workload workload, LoadedCluster bench) {
    return settings(
        experiment,
        workload,
        bench.target().describe(),
        String.valueOf(bench.nodes().get(0).getCassandraVersion()));
  }

  /**
   * The settings.
   *
   * @param driver of arms without settings of their own
   * @param version of Cassandra
   */
  static Map<String, String> settings(
      ClusterExperiment experiment, Workload workload, Map<String, String> driver, String version) {
    Map<String, String> settings = new LinkedHashMap<>();
    driver.forEach((name, value) -> settings.put("driver " + name, value));
    DriverSettings.timerWords(
            experiment.arms().stream().flatMap(arm -> arm.driver().stream()).toList())
        .ifPresent(words -> settings.put("driver driver.timer", words));
    for (ClusterArm arm : experiment.arms()) {
      String own = ofArm(arm);
      if (!own.isEmpty()) {
        settings.put("arm " + arm.name(), own);
      }
    }
    settings.put(
        "nodes",
        experiment.cluster().nodes()
            + " x Apache Cassandra "
            + version
            + " on this machine, "
            + experiment.cluster().concurrentReads()
            + " read threads and "
            + Units.bytes(experiment.cluster().heapBytes())
            + " heap each");
    NodeJava.home().ifPresent(java -> settings.put("nodes' Java", java.getFileName().toString()));
    if (!experiment.cluster().jit().equals(ClusterSettings.defaults().jit())) {
      settings.put("nodes' JIT compiler", experiment.cluster().jit());
    }
    if (!experiment.cluster().jvmOptions().isEmpty()) {
      settings.put("nodes' further options", String.join(" ", experiment.cluster().jvmOptions()));
    }
    settings.put(
        "stock",
        (experiment.cluster().dynamicSnitch()
                ? "dynamic snitch on as shipped"
                : "no dynamic snitch (cassandra-yaml)")
            + "; no hook of Manx in the path (mode off)");
    settings.put(
        "workload",
        String.format(
            Locale.ROOT,
            "%.2f reads a request, %.0f bytes a read, %.1f %% of reads large (means)",
            workload.meanReadsPerRequest(),
            workload.meanBytesPerRead(),
            100 * workload.largeReadShare()));
    if (experiment.cluster().model() != null) {
      settings.put(
          "service model",
          "a model of slow storage: each read holds its read thread for "
              + Units.duration(experiment.cluster().model().baseNanos())
              + " and "
              + Units.duration(experiment.cluster().model().perKibNanos())
              + " per KiB, asleep");
      if (!experiment.unequalNodes().isEmpty()) {
        settings.put("unequal nodes", experiment.unequalNodes());
      }
      settings.put(
          "modelled capacity",
          String.format(Locale.ROOT, "%.0f reads/s", experiment.capacityReadsPerSecond(workload)));
    }
    if (experiment.cluster().storage() != null) {
      settings.put("storage", storage(experiment.cluster()));
    }
    for (Load load : experiment.loads()) {
      settings.put(
          "load " + load.label(),
          load.isClosed()
              ? "closed loop, " + load.clients() + " requests always under way"
              : String.format(
                  Locale.ROOT, "%.1f requests/s", experiment.requestsPerSecond(load, workload)));
    }
    return settings;
  }

  /** The settings of stock and of the driver that an arm has of its own; empty if none. */
  private static String ofArm(ClusterArm arm) {
    List<String> words = new ArrayList<>();
    if (!arm.stock().dynamicSnitch()) {
      words.add("dynamic snitch off");
    }
    if (!arm.stock().speculativeRetry().equals(StockSettings.SHIPPED.speculativeRetry())) {
      words.add("speculative_retry " + arm.stock().speculativeRetry());
    }
    if (arm.paged()) {
      words.add("the driver's paging on");
    }
    arm.driver().ifPresent(driver -> words.add("driver: " + driver.words()));
    return String.join(", ", words);
  }

  private static String storage(ClusterSettings cluster) {
    StorageLimits limits = cluster.storage();
    return String.format(
        Locale.ROOT,
        "real files on a real disk; each of %d nodes has %s of page cache for %s of data, %d reads"
            + " of the disk a second%s, by control groups%s",
        cluster.dataNodes(),
        Units.bytes(limits.pageCacheBytes()),
        Units.bytes(cluster.dataBytes()),
        limits.readsPerSecond(),
        limits.cores() > 0 ? " and " + limits.cores() + " cores" : "",
        cluster.coordinatorsOnly() > 0
            ? "; " + cluster.coordinatorsOnly() + " further nodes hold no data and coordinate"
            : "");
  }
}
