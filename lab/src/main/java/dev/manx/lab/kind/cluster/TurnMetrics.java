/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.contention.proc.MachineTime;
import dev.manx.lab.experiment.CpuMetric;
import dev.manx.lab.experiment.Pooling;
import dev.manx.lab.experiment.Saturation;
import dev.manx.local.cluster.ClusterSettings;
import java.util.LinkedHashMap;
import java.util.Map;

/** Converts the samples of a turn's window into metrics by name. */
public final class TurnMetrics {
  private TurnMetrics() {}

  /**
   * Metrics between two samples.
   *
   * @param serving the nodes that serve reads, by their numbers from 1
   * @param readsPerSecond that the requests of the window asked of replicas; 0 if other work shares
   *     the nodes, because their costs are then not those of these reads
   */
  static Map<String, Double> of(
      WindowSamples.Span span, ClusterSettings settings, int[] serving, double readsPerSecond) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    ProcessSample from = span.from();
    ProcessSample to = span.to();
    double sent = readsPerSecond * span.sendingNanos() / 1e9;
    if (settings.model() != null) {
      double served = model(metrics, from, to, serving, settings.concurrentReads());
      if (sent > 0) {
        metrics.put("reads_served_per_read", served / sent);
      }
    }
    if (settings.storage() != null) {
      disks(metrics, from, to, settings, sent);
    }
    // Not per served read: an arm that reads every key twice would look cheaper.
    cpu(metrics, from, to, span.seconds(), sent);
    return metrics;
  }

  private static void disks(
      Map<String, Double> metrics,
      ProcessSample from,
      ProcessSample to,
      ClusterSettings settings,
      double reads) {
    double seconds = (to.atNanos() - from.atNanos()) / 1e9;
    double count = 0;
    double bytes = 0;
    double most = 0;
    for (int node = 0; node < settings.dataNodes(); node++) {
      double own = to.nodes()[node].disk().count() - from.nodes()[node].disk().count();
      count += own;
      most = Math.max(most, own);
      bytes += to.nodes()[node].disk().bytes() - from.nodes()[node].disk().bytes();
    }
    double allowed = seconds * settings.storage().readsPerSecond();
    metrics.put("disk_used_pct", 100 * count / allowed / settings.dataNodes());
    metrics.put("disk_used_max_node_pct", 100 * most / allowed);
    if (reads > 0) {
      metrics.put("disk_reads_per_read", count / reads);
      metrics.put("disk_bytes_per_read", bytes / reads);
    }
  }

  /** Returns the replica reads that the model served. */
  private static double model(
      Map<String, Double> metrics,
      ProcessSample from,
      ProcessSample to,
      int[] serving,
      int concurrentReads) {
    double sum = 0;
    double max = 0;
    double reads = 0;
    double wanted = 0;
    double slept = 0;
    for (int number : serving) {
      int node = number - 1;
      double used = ProcessSample.utilisation(from, to, node, concurrentReads);
      sum += used;
      max = Math.max(max, used);
      reads += to.nodes()[node].reads() - from.nodes()[node].reads();
      wanted += to.nodes()[node].wantedNanos() - from.nodes()[node].wantedNanos();
      slept += to.nodes()[node].sleptNanos() - from.nodes()[node].sleptNanos();
    }
    metrics.put(Saturation.UTILISATION, 100 * sum / serving.length);
    metrics.put("utilisation_max_node_pct", 100 * max);
    if (reads > 0 && wanted > 0) {
      metrics.put("model_wanted_ms_per_read", wanted / reads / 1e6);
      metrics.put("model_slept_ms_per_read", slept / reads / 1e6);
      metrics.put("model_oversleep_pct", 100 * (slept / wanted - 1));
    }
    return reads;
  }

  private static void cpu(
      Map<String, Double> metrics,
      ProcessSample from,
      ProcessSample to,
      double seconds,
      double reads) {
    double nodes = 0;
    double compilers = 0;
    double collectors = 0;
    for (int node = 0; node < from.nodes().length; node++) {
      ProcessSample.Node start = from.nodes()[node];
      ProcessSample.Node end = to.nodes()[node];
      nodes += end.cpuSeconds() - start.cpuSeconds();
      compilers += end.upkeep().compilerSeconds() - start.upkeep().compilerSeconds();
      collectors += end.upkeep().collectorSeconds() - start.upkeep().collectorSeconds();
    }
    double client = to.clientCpuSeconds() - from.clientCpuSeconds();
    if (reads > 0) {
      metrics.put(CpuMetric.NODES_PER_READ, nodes / reads * 1e6);
      metrics.put(CpuMetric.COMPILERS_PER_READ, compilers / reads * 1e6);
      metrics.put("cpu_us_per_read_collectors", collectors / reads * 1e6);
      metrics.put("cpu_us_per_read_client", client / reads * 1e6);
    }
    MachineTime machine = from.machine();
    double foreign = to.machine().foreignSeconds(machine, nodes + client);
    double steal = to.machine().stealSeconds(machine);
    metrics.put(CpuMetric.NODES, machine.percent(nodes, seconds));
    metrics.put("cpu_pct_client", machine.percent(client, seconds));
    metrics.put("cpu_pct_foreign", machine.percent(foreign, seconds));
    metrics.put("cpu_pct_steal", machine.percent(steal, seconds));
    metrics.values().removeIf(value -> value.isNaN() || value.isInfinite());
  }

  /** The plugin's counters from the window's start to the end of the last straggler. */
  public static Map<String, Double> counters(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    after.forEach(
        (name, value) ->
            metrics.put(Pooling.COUNTER + name, (double) (value - before.getOrDefault(name, 0L))));
    share(
        metrics,
        "decisions_changed_pct",
        Pooling.COUNTER + "select_changed",
        Pooling.COUNTER + "select_decisions");
    share(
        metrics,
        "order_changed_pct",
        Pooling.COUNTER + "order_changed",
        Pooling.COUNTER + "order_decisions");
    return metrics;
  }

  /**
   * The counters of several nodes together, by name. A node that did not answer at both ends is
   * left out: its counters since its start are not those of a turn.
   */
  public static Map<String, Double> countersByNode(
      Map<String, Map<String, Long>> before, Map<String, Map<String, Long>> after) {
    Map<String, Long> from = new LinkedHashMap<>();
    Map<String, Long> to = new LinkedHashMap<>();
    for (Map.Entry<String, Map<String, Long>> node : after.entrySet()) {
      if (before.containsKey(node.getKey())) {
        before.get(node.getKey()).forEach((name, value) -> from.merge(name, value, Long::sum));
        node.getValue().forEach((name, value) -> to.merge(name, value, Long::sum));
      }
    }
    return counters(from, to);
  }

  private static void share(Map<String, Double> metrics, String name, String part, String whole) {
    double of = metrics.getOrDefault(whole, 0.0);
    if (of > 0) {
      metrics.put(name, 100 * metrics.getOrDefault(part, 0.0) / of);
    }
  }
}
