/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Named;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Scalar;
import dev.manx.lab.settings.Section;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.StorageLimits;
import dev.manx.local.cluster.Topology;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Units;
import dev.manx.workload.KeySpace;
import java.util.List;
import java.util.Map;

/** Reads {@code cluster:} and {@code storage:}. */
public final class ClusterReader {
  static final int MOST_NODES = 9;

  /** Key {@code node} of an event. */
  static final Key NODE =
      Key.required(Setting.whole("node", 1, 1, MOST_NODES, "number of the node, from 1"));

  private static final ClusterSettings LIKE = ClusterSettings.defaults();
  private static final int COPIES = 3;

  public static final Setting NODES =
      Setting.whole("nodes", LIKE.nodes(), 1, MOST_NODES, "number of nodes, on 127.0.0.1 and up");

  public static final Setting CONCURRENT_READS =
      Setting.whole(
          "concurrent-reads", LIKE.concurrentReads(), 1, 1024, "threads of each node's READ stage");

  public static final Setting HEAP =
      Setting.size("heap", "512MiB", "256MiB", "64GiB", "of each node")
          .withStandard(LIKE.heapBytes());

  static final Section CLUSTER =
      Section.of(
          Key.of(NODES),
          Key.optional(
                  Setting.whole(
                      "replication-factor",
                      COPIES,
                      1,
                      MOST_NODES,
                      "copies of each row in each datacenter"))
              .otherwise("3, or its nodes if fewer"),
          Key.of(CONCURRENT_READS),
          Key.of(HEAP.name(), new Scalar(HEAP, true), HEAP.standard(), HEAP.meaning()),
          Key.of(
              Setting.whole("tokens", LIKE.tokens(), 1, 256, "tokens of each node, evenly spread")),
          Key.of(
              Setting.duration(
                  "read-timeout", "5s", "10ms", "10min", "Cassandra's `read_request_timeout`")),
          Key.of(Setting.word("jit", "c2 as shipped; c1 boots faster and runs slower", "c2", "c1")),
          Key.of(
              Setting.flag(
                  "plugin",
                  LIKE.plugin(),
                  "false: the nodes do not load Manx at all; arms are then in mode off")),
          Key.of(
              Setting.whole(
                  "datacenters",
                  1,
                  1,
                  MOST_NODES,
                  "neighbouring nodes are in different ones; clients are in the first")),
          Key.of(Setting.whole("racks", 1, 1, MOST_NODES, "racks of each datacenter")),
          Key.of(
                  Setting.whole(
                      "coordinators-only",
                      0,
                      0,
                      MOST_NODES - 1,
                      "number of nodes, the last ones, without data; requests then go to those"))
              .quiet(),
          Key.of(
                  "cassandra-yaml",
                  new Named(
                      ".+",
                      "keys of cassandra.yaml",
                      new Scalar(Setting.anyText("cassandra-yaml", "", "as text"))),
                  Map.of(),
                  "further lines of cassandra.yaml, as texts")
              .quiet(),
          Key.of(
                  "jvm-options",
                  new Items(new Scalar(Setting.anyText("jvm-options", "", "an option"))),
                  List.of(),
                  "further options of the nodes' JVMs; {node} in one is the node's name")
              .quiet());

  static final Section STORAGE =
      Section.of(
          Key.required(
              Setting.size(
                  "page-cache", "8MiB", "8MiB", "1TiB", "page cache of each node that holds data")),
          Key.required(
              Setting.whole(
                  "reads-per-second", 10, 10, 10_000_000, "reads of the disk by each node")),
          Key.optional(
                  Setting.number("cores", 1, 0.1, 1024, "cores that each of these nodes may use"))
              .otherwise("all"));

  private ClusterReader() {}

  static int replicationFactor(Part cluster) {
    int least =
        (cluster.whole("nodes") - coordinatorsOnly(cluster)) / topology(cluster).datacenters();
    return cluster.has("replication-factor")
        ? cluster.whole("replication-factor", 1, least)
        : Math.min(COPIES, least);
  }

  /** Nodes without data: fewer than all, and none with several datacenters. */
  static int coordinatorsOnly(Part cluster) {
    int most = topology(cluster).datacenters() > 1 ? 0 : cluster.whole("nodes") - 1;
    return cluster.whole("coordinators-only", 0, most);
  }

  private static Topology topology(Part cluster) {
    int nodes = cluster.whole("nodes");
    int datacenters = cluster.whole("datacenters", 1, nodes);
    return new Topology(datacenters, cluster.whole("racks", 1, Math.max(1, nodes / datacenters)));
  }

  private static Map<String, String> lines(Part cluster, Topology topology) {
    Map<String, String> lines = cluster.named("cassandra-yaml", String.class);
    if (topology.isDivided() && "SimpleSnitch".equals(lines.get("endpoint_snitch"))) {
      throw cluster
          .node("cassandra-yaml")
          .at("endpoint_snitch")
          .refuse("a snitch that knows datacenters and racks, such as GossipingPropertyFileSnitch");
    }
    return lines;
  }

  /**
   * Reads the cluster.
   *
   * @param top of the file
   * @param keys of the workload
   */
  static ClusterSettings read(Part top, KeySpace keys) {
    Part cluster = top.part("cluster");
    int nodes = cluster.whole("nodes");
    Topology topology = topology(cluster);
    int coordinatorsOnly = coordinatorsOnly(cluster);
    if (top.has("service-model") && top.has("storage")) {
      throw top.node("storage")
          .refuse("a model of slow storage or limits of real storage, not both");
    }
    int copies = replicationFactor(cluster) * topology.datacenters();
    long dataBytes = keys.totalBytes() * copies / (nodes - coordinatorsOnly);
    ClusterSettings settings =
        new ClusterSettings(
            nodes,
            LIKE.firstHost(),
            cluster.whole("concurrent-reads"),
            cluster.number("heap"),
            cluster.whole("tokens"),
            cluster.number("read-timeout"),
            cluster.word("jit"),
            dataBytes,
            top.find("service-model")
                .map(model -> ServiceModelReader.read(model, nodes))
                .orElse(null),
            cluster.flag("plugin"),
            lines(cluster, topology),
            cluster.words("jvm-options"),
            topology,
            top.find("storage").map(ClusterReader::storage).orElse(null),
            coordinatorsOnly);
    long most = settings.memtableRows() * settings.dataNodes() / copies;
    if (settings.storage() == null
        && !settings.cassandraYaml().containsKey("memtable_heap_space")
        && keys.keys() > most) {
      throw top.node("workload")
          .at("keys")
          .refuse(
              "at most "
                  + most
                  + " with a heap of "
                  + Units.bytes(settings.heapBytes())
                  + ": memtables with more are flushed to files; raise cluster.heap, or measure"
                  + " files with storage");
    }
    return settings;
  }

  private static StorageLimits storage(Part storage) {
    return new StorageLimits(
        storage.number("page-cache"),
        storage.number("reads-per-second"),
        storage.has("cores") ? storage.real("cores") : 0);
  }
}
