/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the cassandra.yaml of one node; all other settings have Cassandra's defaults. */
final class CassandraYaml {
  private static final String CLUSTER = "manx-lab";

  /** The beginning of every file, except with another name of the cluster. */
  static final String NAME = "cluster_name: " + CLUSTER;

  private CassandraYaml() {}

  static String of(ClusterSettings settings, Node node) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("cluster_name", settings.plugin() ? CLUSTER : CLUSTER + "-without-plugin");
    lines.put("num_tokens", Integer.toString(settings.tokens()));
    if (node.index() <= settings.dataNodes()) {
      lines.put(
          "initial_token", '"' + node.initialTokens(settings.tokens(), settings.dataNodes()) + '"');
      // An empty node streams no data; all nodes but the seed can join at once.
      lines.put("auto_bootstrap", "false");
    }
    lines.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    lines.put(
        "seed_provider",
        "[{class_name: org.apache.cassandra.locator.SimpleSeedProvider,"
            + " parameters: [{seeds: \""
            + settings.node(1, node.folder()).address()
            + ":7000\"}]}]");
    lines.put("listen_address", node.address());
    lines.put("rpc_address", node.address());
    lines.put("storage_port", Integer.toString(Node.STORAGE_PORT));
    lines.put("native_transport_port", Integer.toString(Node.NATIVE_PORT));
    lines.put("data_file_directories", "[" + quoted(node, "data") + "]");
    lines.put("commitlog_directory", quoted(node, "commitlog"));
    lines.put("hints_directory", quoted(node, "hints"));
    lines.put("saved_caches_directory", quoted(node, "saved_caches"));
    lines.put("commitlog_sync", "periodic");
    lines.put("commitlog_sync_period", "10s");
    lines.put("endpoint_snitch", settings.snitch());
    lines.put("concurrent_reads", Integer.toString(settings.concurrentReads()));
    lines.put("read_request_timeout", settings.readTimeoutNanos() / 1_000_000 + "ms");
    lines.put("auto_snapshot", "false");
    // Small caches: a lab node has a small heap and reads from memtables.
    lines.put("key_cache_size", "1MiB");
    lines.put("row_cache_size", "0MiB");
    lines.put("counter_cache_size", "0MiB");
    lines.put("file_cache_size", "32MiB");
    lines.put("networking_cache_size", "64MiB");
    lines.put("memtable_allocation_type", "offheap_buffers");
    lines.put("memtable_offheap_space", (settings.memtableBytes() >> 20) + "MiB");
    lines.put("memtable_heap_space", (settings.memtableHeapBytes() >> 20) + "MiB");
    if (settings.storage() != null) {
      // The kernel's page cache shall be the only cache in front of the disk.
      lines.put("key_cache_size", "0MiB");
      lines.put("file_cache_enabled", "false");
      lines.put("disk_access_mode", "standard");
    }
    if (settings.model() != null) {
      lines.put("memtable", model(settings.model(), node.index()));
    }
    lines.putAll(settings.cassandraYaml());
    lines.values().removeIf(String::isEmpty);
    StringBuilder text = new StringBuilder();
    lines.forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
    return text.toString();
  }

  private static String model(ClusterSettings.ServiceModel model, int node) {
    ClusterSettings.ServiceModel.Unequal own = model.unequal().get(node);
    double times = model.times(node);
    String pauses =
        own == null || own.pauseNanos() == 0
            ? ""
            : ", pause: " + own.pauseNanos() + "ns, every: " + own.everyNanos() + "ns";
    return "{configurations: {skiplist: {class_name: SkipListMemtable},"
        + " default: {inherits: skiplist},"
        + " modelled: {class_name: dev.manx.cassandra.lab.ModelledMemtable, parameters: {base: "
        + Math.round(times * model.baseNanos())
        + "ns, per-kib: "
        + Math.round(times * model.perKibNanos())
        + "ns"
        + pauses
        + "}}}}";
  }

  private static String quoted(Node node, String folder) {
    return '"' + node.folder().resolve(folder).toString().replace("\"", "\\\"") + '"';
  }
}
