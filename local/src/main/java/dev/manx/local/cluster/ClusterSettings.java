/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The settings of a local cluster.
 *
 * @param nodes how many, on consecutive addresses; 1 to 9
 * @param firstHost last number of the first node's address, 127.0.0.firstHost
 * @param concurrentReads threads of each node's READ stage
 * @param heapBytes maximum Java heap of each node
 * @param tokens tokens of each node, evenly spread, so that nodes own equal parts of the ring
 * @param readTimeoutNanos Cassandra's {@code read_request_timeout}
 * @param jit {@code c2} as shipped, or {@code c1}: boots faster, runs slower
 * @param dataBytes what will be loaded, all replicas of one node together; memtables are sized so
 *     that it stays in memory
 * @param model the model of slow storage, or null for none
 * @param plugin whether the nodes load the Manx plugin (in mode {@code off})
 * @param cassandraYaml further lines of cassandra.yaml, by key; an empty one leaves the key out
 * @param jvmOptions further options of each node's JVM; {@code {node}} in one of them is the node's
 *     name
 * @param topology datacenters and racks
 * @param storage limits of real storage, or null: data stays in memtables
 * @param coordinatorsOnly how many of the nodes, the last ones, hold no data and only coordinate
 */
public record ClusterSettings(
    int nodes,
    int firstHost,
    int concurrentReads,
    long heapBytes,
    int tokens,
    long readTimeoutNanos,
    String jit,
    long dataBytes,
    ServiceModel model,
    boolean plugin,
    Map<String, String> cassandraYaml,
    List<String> jvmOptions,
    Topology topology,
    StorageLimits storage,
    int coordinatorsOnly) {

  /** Copies the collections, keeping their order. */
  public ClusterSettings {
    cassandraYaml = Collections.unmodifiableMap(new LinkedHashMap<>(cassandraYaml));
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** In one datacenter with one rack, in memory, all nodes with data. */
  public ClusterSettings(
      int nodes,
      int firstHost,
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
    this(
        nodes,
        firstHost,
        concurrentReads,
        heapBytes,
        tokens,
        readTimeoutNanos,
        jit,
        dataBytes,
        model,
        plugin,
        cassandraYaml,
        jvmOptions,
        Topology.ONE,
        null,
        0);
  }

  /** The same, but for whether nodes load the plugin. */
  ClusterSettings withPlugin(boolean loaded) {
    return with(firstHost, loaded);
  }

  private ClusterSettings with(int host, boolean loaded) {
    return new ClusterSettings(
        nodes,
        host,
        concurrentReads,
        heapBytes,
        tokens,
        readTimeoutNanos,
        jit,
        dataBytes,
        model,
        loaded,
        cassandraYaml,
        jvmOptions,
        topology,
        storage,
        coordinatorsOnly);
  }

  /** Three small nodes as shipped, with the plugin in mode {@code off} and no model. */
  public static ClusterSettings defaults() {
    return new ClusterSettings(
        3, 1, 32, 512L << 20, 16, 5_000_000_000L, "c2", 64L << 20, null, true, Map.of(), List.of());
  }

  /** Where a cluster without the plugin stands beside one with it. */
  private static final int BESIDE = 20;

  /** The same cluster without the plugin's jar, on addresses of its own. */
  public ClusterSettings withoutPlugin() {
    return with(firstHost + BESIDE, false);
  }

  /** The class name of its nodes' snitch; a dynamic snitch stands in front unless taken away. */
  public String snitch() {
    return cassandraYaml.getOrDefault(
        "endpoint_snitch", topology.isDivided() ? "GossipingPropertyFileSnitch" : "SimpleSnitch");
  }

  /** How many nodes hold data; those after them only coordinate. */
  public int dataNodes() {
    return nodes - coordinatorsOnly;
  }

  /** Whether a node, counted from 1, holds no data and only coordinates. */
  public boolean isCoordinatorOnly(int index) {
    return index > dataNodes() && index <= nodes;
  }

  /** A node of it, counted from 1. */
  Node node(int index, java.nio.file.Path folder) {
    return new Node(index, firstHost + index - 1, folder);
  }

  /**
   * The modelled time a read holds its thread: {@code base + perKib * KiB read}.
   *
   * @param baseNanos for each read
   * @param perKibNanos for each KiB of the value
   * @param unequal nodes that are not like that, by their number from 1
   */
  public record ServiceModel(long baseNanos, long perKibNanos, Map<Integer, Unequal> unequal) {
    /**
     * A node that is slower, or stalls periodically.
     *
     * @param times its service takes so many times as long; 1 for as long
     * @param pauseNanos it serves nothing for so long; 0 for never
     * @param everyNanos out of every so long
     */
    public record Unequal(double times, long pauseNanos, long everyNanos) {
      /** Its speed relative to that of an undisturbed node. */
      double speed() {
        return (pauseNanos == 0 ? 1 : 1 - (double) pauseNanos / everyNanos) / times;
      }
    }

    /** Copies the mapping in the order of the nodes. */
    public ServiceModel {
      unequal = Collections.unmodifiableMap(new TreeMap<>(unequal));
    }

    /** All nodes alike. */
    public ServiceModel(long baseNanos, long perKibNanos) {
      this(baseNanos, perKibNanos, Map.of());
    }

    /** Modelled service of one value. */
    public long serviceNanos(long valueBytes) {
      return baseNanos + perKibNanos * valueBytes / 1024;
    }

    /** How many times as long a node's service takes, as it is set; nodes count from 1. */
    public double times(int node) {
      return unequal.containsKey(node) ? unequal.get(node).times() : 1;
    }

    /** The summed speed of nodes, given by their numbers from 1, in undisturbed nodes. */
    public double speeds(IntStream nodes) {
      return nodes
          .mapToDouble(node -> unequal.containsKey(node) ? unequal.get(node).speed() : 1)
          .sum();
    }
  }
}
