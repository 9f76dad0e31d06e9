/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cluster;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a local cluster is made of.
 *
 * @param nodes how many, on 127.0.0.1 to 127.0.0.N; 1 to 9
 * @param concurrentReads threads of each node's READ stage
 * @param heapBytes maximum Java heap of each node
 * @param tokens tokens of each node, evenly spread, so that nodes own equal parts of the ring
 * @param readTimeoutNanos Cassandra's {@code read_request_timeout}
 * @param jit {@code c2} as shipped, or {@code c1}: boots faster, runs slower
 * @param dataBytes what will be loaded, all replicas of one node together; memtables are sized so
 *     that it stays in memory
 * @param model the model of slow storage, or null for none
 * @param plugin whether the nodes load the Manx plugin (in mode {@code off})
 * @param cassandraYaml further lines of cassandra.yaml, by key
 * @param jvmOptions further options of each node's JVM
 */
public record ClusterSettings(
    int nodes,
    int concurrentReads,
    long heapBytes,
    int tokens,
    long readTimeoutNanos,
    String jit,
    long dataBytes,
    ServiceModel model,
    boolean plugin,
    Map<String, String> cassandraYaml,
    List<String> jvmOptions) {

  /** Copies the collections, keeping their order. */
  public ClusterSettings {
    cassandraYaml = Collections.unmodifiableMap(new LinkedHashMap<>(cassandraYaml));
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** Three small nodes as shipped, with the plugin in mode {@code off} and no model. */
  public static ClusterSettings defaults() {
    return new ClusterSettings(
        3, 32, 512L << 20, 16, 5_000_000_000L, "c2", 64L << 20, null, true, Map.of(), List.of());
  }

  /**
   * The modelled time a read holds its thread: {@code base + perKib * KiB read}.
   *
   * @param baseNanos for each read
   * @param perKibNanos for each KiB of the value
   */
  public record ServiceModel(long baseNanos, long perKibNanos) {
    /** Modelled service of one value. */
    public long serviceNanos(long valueBytes) {
      return baseNanos + perKibNanos * valueBytes / 1024;
    }
  }
}
