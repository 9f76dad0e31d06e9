/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Load;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.NodeJava;
import dev.manx.local.cluster.StorageLimits;
import dev.manx.policy.config.Units;
import dev.manx.workload.Workload;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The environment of an experiment, for the report. */
final class Environments {
  private Environments() {}

  static Map<String, String> settings(
      ClusterExperiment experiment, Workload workload, LoadedCluster bench) {
    Map<String, String> settings = new LinkedHashMap<>();
    bench.target().describe().forEach((name, value) -> settings.put("driver " + name, value));
    for (ClusterArm arm : experiment.arms()) {
      arm.driver().ifPresent(driver -> settings.put("driver of arm " + arm.name(), driver.words()));
    }
    settings.put(
        "nodes",
        experiment.cluster().nodes()
            + " x Apache Cassandra "
            + bench.nodes().get(0).getCassandraVersion()
            + " on this machine, "
            + experiment.cluster().concurrentReads()
            + " read threads and "
            + Units.bytes(experiment.cluster().heapBytes())
            + " heap each");
    NodeJava.home().ifPresent(java -> settings.put("nodes' Java", java.getFileName().toString()));
    settings.put("stock", "dynamic snitch on as shipped; no hook of Manx in the path (mode off)");
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
