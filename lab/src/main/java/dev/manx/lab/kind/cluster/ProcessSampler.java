/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import com.sun.management.OperatingSystemMXBean;
import dev.manx.lab.kind.ProcStat;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Takes samples of a bench over CQL and /proc. */
final class ProcessSampler {
  private static final OperatingSystemMXBean SELF =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final LoadedCluster bench;
  private final long[] pids;
  private final boolean modelled;

  ProcessSampler(LoadedCluster bench) {
    this.bench = bench;
    this.pids = bench.cluster().pids();
    this.modelled = bench.cluster().settings().model() != null;
  }

  ProcessSample take() {
    ProcessSample.Node[] nodes = new ProcessSample.Node[pids.length];
    for (int i = 0; i < nodes.length; i++) {
      Map<String, Long> model =
          modelled ? longs(i, "SELECT name, value FROM manx_lab.service_model") : Map.of();
      nodes[i] =
          new ProcessSample.Node(
              model.getOrDefault("reads", 0L),
              model.getOrDefault("wanted_nanos", 0L),
              model.getOrDefault("slept_nanos", 0L),
              ProcStat.processSeconds(pids[i]),
              ProcStat.upkeep(pids[i]));
    }
    return new ProcessSample(
        System.nanoTime(), nodes, SELF.getProcessCpuTime() / 1e9, ProcStat.machine());
  }

  /** The plugin's counters, all nodes together; empty without the plugin. */
  Map<String, Long> counters() {
    Map<String, Long> sum = new TreeMap<>();
    if (bench.cluster().settings().plugin()) {
      for (int i = 0; i < pids.length; i++) {
        longs(i, "SELECT name, value FROM manx.counters")
            .forEach((name, value) -> sum.merge(name, value, Long::sum));
      }
    }
    return sum;
  }

  private Map<String, Long> longs(int node, String cql) {
    Map<String, Long> values = new TreeMap<>();
    List<Map<String, Object>> rows = bench.admin().rows(bench.nodes().get(node), cql);
    for (Map<String, Object> row : rows) {
      if (row.get("value") instanceof Number number) {
        values.put(String.valueOf(row.get("name")), number.longValue());
      }
    }
    return values;
  }
}
