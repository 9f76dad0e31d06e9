/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import com.sun.management.OperatingSystemMXBean;
import dev.manx.contention.proc.MachineTime;
import dev.manx.contention.proc.Proc;
import dev.manx.lab.kind.UpkeepMeter;
import dev.manx.local.cgroup.ProcessGroup.DiskReads;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Takes samples of a cluster over CQL and /proc. Confined to one thread at a time. */
final class ProcessSampler {
  private static final OperatingSystemMXBean SELF =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final LoadedCluster bench;
  private final NodePresence presence;
  private final boolean modelled;
  private final NodeSums sums;
  private final Map<Long, UpkeepMeter> upkeep = new HashMap<>();

  /**
   * Samples the nodes of one turn.
   *
   * @param presence knows which nodes cannot be queried
   */
  ProcessSampler(LoadedCluster bench, NodePresence presence) {
    this.bench = bench;
    this.presence = presence;
    modelled = bench.cluster().settings().model() != null;
    sums = new NodeSums(bench.cluster().pids());
  }

  ProcessSample take() {
    long[] pids = bench.cluster().pids();
    for (int i = 0; i < pids.length; i++) {
      int index = i;
      presence
          .ask(i + 1, () -> node(index, pids[index]))
          .ifPresent(node -> sums.add(index, pids[index], node));
    }
    return new ProcessSample(
        System.nanoTime(), sums.all(), SELF.getProcessCpuTime() / 1e9, MachineTime.now());
  }

  private ProcessSample.Node node(int index, long pid) {
    Map<String, Long> model =
        modelled ? longs(index, "SELECT name, value FROM manx_lab.service_model") : Map.of();
    return new ProcessSample.Node(
        model.getOrDefault("reads", 0L),
        model.getOrDefault("wanted_nanos", 0L),
        model.getOrDefault("slept_nanos", 0L),
        Proc.cpuSeconds(pid),
        upkeep.computeIfAbsent(pid, process -> new UpkeepMeter()).read(pid),
        bench.storage().map(storage -> storage.reads(index)).orElse(new DiskReads(0, 0)));
  }

  /**
   * The plugin's counters by node; without nodes that cannot be queried or had a counter reset;
   * empty without the plugin.
   */
  Map<String, Map<String, Long>> counters() {
    Map<String, Map<String, Long>> nodes = new TreeMap<>();
    if (bench.cluster().settings().plugin()) {
      for (int i = 0; i < bench.nodes().size(); i++) {
        int index = i;
        if (!presence.wasKilled(i + 1)) {
          presence
              .ask(i + 1, () -> longs(index, "SELECT name, value FROM manx.counters"))
              .ifPresent(
                  counters -> nodes.put(bench.cluster().nodes().get(index).name(), counters));
        }
      }
    }
    return nodes;
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
