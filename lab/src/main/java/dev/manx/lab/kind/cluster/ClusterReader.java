/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.cluster.ClusterSettings;
import dev.manx.lab.cluster.StorageLimits;
import dev.manx.lab.cluster.Topology;
import dev.manx.policy.config.ConfigNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code cluster:} and {@code service-model:}. */
final class ClusterReader {
  private static final long SECOND = 1_000_000_000L;

  private ClusterReader() {}

  static int replicationFactor(ConfigNode cluster) {
    int least = (nodes(cluster) - coordinatorsOnly(cluster)) / topology(cluster).datacenters();
    return cluster
        .find("replication-factor")
        .map(node -> (int) node.integer(1, least))
        .orElse(Math.min(3, least));
  }

  private static int nodes(ConfigNode cluster) {
    return cluster.find("nodes").map(node -> (int) node.integer(1, 9)).orElse(3);
  }

  /** Nodes that hold no data: fewer than all, and with several datacenters none. */
  static int coordinatorsOnly(ConfigNode cluster) {
    int most = topology(cluster).datacenters() > 1 ? 0 : nodes(cluster) - 1;
    return cluster.find("coordinators-only").map(node -> (int) node.integer(0, most)).orElse(0);
  }

  private static Topology topology(ConfigNode cluster) {
    int nodes = nodes(cluster);
    int datacenters =
        cluster.find("datacenters").map(node -> (int) node.integer(1, nodes)).orElse(1);
    return new Topology(
        datacenters,
        cluster
            .find("racks")
            .map(node -> (int) node.integer(1, Math.max(1, nodes / datacenters)))
            .orElse(1));
  }

  private static Map<String, String> lines(ConfigNode cluster, Topology topology) {
    Map<String, String> lines =
        cluster.find("cassandra-yaml").map(ClusterReader::lines).orElse(Map.of());
    if (topology.isDivided() && "SimpleSnitch".equals(lines.get("endpoint_snitch"))) {
      throw cluster
          .at("cassandra-yaml")
          .at("endpoint_snitch")
          .refuse("a snitch that knows datacenters and racks, such as GossipingPropertyFileSnitch");
    }
    return lines;
  }

  static ClusterSettings read(
      ConfigNode cluster, Optional<ConfigNode> model, Optional<ConfigNode> storage, long keyBytes) {
    ClusterSettings like = ClusterSettings.defaults();
    int nodes = nodes(cluster);
    Topology topology = topology(cluster);
    int coordinatorsOnly = coordinatorsOnly(cluster);
    if (model.isPresent() && storage.isPresent()) {
      throw storage.get().refuse("a model of slow storage or limits of real storage, not both");
    }
    long dataBytes =
        keyBytes * replicationFactor(cluster) * topology.datacenters() / (nodes - coordinatorsOnly);
    ClusterSettings settings =
        new ClusterSettings(
            nodes,
            like.firstHost(),
            cluster
                .find("concurrent-reads")
                .map(node -> (int) node.integer(1, 1024))
                .orElse(like.concurrentReads()),
            cluster
                .find("heap")
                .map(node -> node.bytes(256L << 20, 64L << 30))
                .orElse(like.heapBytes()),
            cluster.find("tokens").map(node -> (int) node.integer(1, 256)).orElse(like.tokens()),
            cluster
                .find("read-timeout")
                .map(node -> node.durationNanos(10_000_000, 600 * SECOND))
                .orElse(like.readTimeoutNanos()),
            cluster.find("jit").map(node -> node.oneOf("c1", "c2")).orElse(like.jit()),
            dataBytes,
            model.map(node -> ServiceModelReader.read(node, nodes)).orElse(null),
            cluster.find("plugin").map(ConfigNode::flag).orElse(true),
            lines(cluster, topology),
            cluster
                .find("jvm-options")
                .map(node -> node.items().stream().map(ConfigNode::text).toList())
                .orElse(List.of()),
            topology,
            storage.map(ClusterReader::storage).orElse(null),
            coordinatorsOnly);
    cluster.noOtherKeys();
    return settings;
  }

  private static StorageLimits storage(ConfigNode node) {
    StorageLimits limits =
        new StorageLimits(
            node.at("page-cache").bytes(8L << 20, 1L << 40),
            node.at("reads-per-second").integer(10, 10_000_000),
            node.find("cores").map(cores -> cores.number(0.1, 1024)).orElse(0.0));
    node.noOtherKeys();
    return limits;
  }

  private static Map<String, String> lines(ConfigNode node) {
    Map<String, String> lines = new LinkedHashMap<>();
    node.names().forEach(name -> lines.put(name, node.at(name).text()));
    return lines;
  }
}
