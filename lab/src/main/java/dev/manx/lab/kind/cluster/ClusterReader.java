/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.cluster.ClusterSettings;
import dev.manx.lab.cluster.ClusterSettings.ServiceModel;
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
    long nodes = cluster.find("nodes").map(node -> node.integer(1, 9)).orElse(3L);
    return cluster
        .find("replication-factor")
        .map(node -> (int) node.integer(1, nodes))
        .orElse((int) Math.min(3, nodes));
  }

  static ClusterSettings read(ConfigNode cluster, Optional<ConfigNode> model, long keyBytes) {
    ClusterSettings like = ClusterSettings.defaults();
    int nodes = cluster.find("nodes").map(node -> (int) node.integer(1, 9)).orElse(3);
    long dataBytes = keyBytes * replicationFactor(cluster) / nodes;
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
            model.map(ClusterReader::model).orElse(null),
            cluster.find("plugin").map(ConfigNode::flag).orElse(true),
            cluster.find("cassandra-yaml").map(ClusterReader::lines).orElse(Map.of()),
            cluster
                .find("jvm-options")
                .map(node -> node.items().stream().map(ConfigNode::text).toList())
                .orElse(List.of()));
    cluster.noOtherKeys();
    return settings;
  }

  private static ServiceModel model(ConfigNode node) {
    ServiceModel model =
        new ServiceModel(
            node.at("base").durationNanos(0, 10 * SECOND),
            node.find("per-kib").map(n -> n.durationNanos(0, SECOND)).orElse(0L));
    node.noOtherKeys();
    if (model.baseNanos() + model.perKibNanos() == 0) {
      throw node.refuse("a base or a time per KiB above 0, or no service-model at all");
    }
    return model;
  }

  private static Map<String, String> lines(ConfigNode node) {
    Map<String, String> lines = new LinkedHashMap<>();
    node.names().forEach(name -> lines.put(name, node.at(name).text()));
    return lines;
  }
}
