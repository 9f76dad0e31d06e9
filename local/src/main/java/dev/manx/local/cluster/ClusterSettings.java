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
 * @param nodes number, on consecutive addresses; 1 to 9
 * @param firstHost last number of the first node's address, 127.0.0.firstHost
 * @param concurrentReads threads of each node's READ stage
 * @param heapBytes maximum Java heap of each node
 * @param tokens tokens of each node, evenly spread, so that nodes own equal parts of the ring
 * @param readTimeoutNanos Cassandra's {@code read_request_timeout}
 * @param jit {@code c2} as shipped, or {@code c1}, which boots faster and runs slower
 * @param dataBytes size of the data on one node, all replicas; memtables are sized to keep it in
 *     memory
 * @param model the model of slow storage, or null for none
 * @param plugin whether the nodes load the Manx plugin (in mode {@code off})
 * @param cassandraYaml further lines of cassandra.yaml, by key; an empty one omits the key
 * @param jvmOptions further JVM options of each node; {@code {node}} is replaced by the node's name
 * @param topology datacenters and racks
 * @param storage limits of real storage, or null: data stays in memtables
 * @param coordinatorsOnly number of nodes, the last ones, that hold no data and only coordinate
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

  /** Settings for one datacenter with one rack, in memory, and data on all nodes. */
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

  /** Returns these settings with or without the plugin. */
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

  /** First host of a cluster without the plugin next to one with it. */
  private static final int BESIDE = 20;

  /** Returns these settings without the plugin's jar, on separate addresses. */
  public ClusterSettings withoutPlugin() {
    return with(firstHost + BESIDE, false);
  }

  /** The class name of the nodes' snitch, without the dynamic snitch. */
  public String snitch() {
    return cassandraYaml.getOrDefault(
        "endpoint_snitch", topology.isDivided() ? "GossipingPropertyFileSnitch" : "SimpleSnitch");
  }

  /** Whether the nodes boot with a dynamic snitch. */
  public boolean dynamicSnitch() {
    return !"false".equals(cassandraYaml.get("dynamic_snitch"));
  }

  /** Number of nodes that hold data; those after them only coordinate. */
  public int dataNodes() {
    return nodes - coordinatorsOnly;
  }

  /** Whether a node, counted from 1, holds no data and only coordinates. */
  public boolean isCoordinatorOnly(int index) {
    return index > dataNodes() && index <= nodes;
  }

  /** Cassandra flushes memtables that use this part of their space. */
  private static final int FLUSHED_AT = 3;

  /** On the heap, for a partition of one row with a key of some ten characters. */
  private static final int ROW_HEAP_BYTES = 700;

  /**
   * The space of a node's memtables outside its heap. Flushed at a third of it, they keep twice the
   * data, and so do not write files in a run, unless background work writes as much as was loaded.
   */
  long memtableBytes() {
    return Math.max(256L << 20, 2 * FLUSHED_AT * dataBytes);
  }

  /** The space of a node's memtables on its heap. */
  long memtableHeapBytes() {
    return Math.max(64L << 20, heapBytes / 3);
  }

  /**
   * The most rows of a node that stay in memtables: with more, these fill their space on the heap.
   */
  public long memtableRows() {
    return memtableHeapBytes() / FLUSHED_AT / ROW_HEAP_BYTES;
  }

  /** A node by its number, from 1. */
  Node node(int index, java.nio.file.Path folder) {
    return new Node(index, firstHost + index - 1, folder);
  }

  /**
   * The modelled time for which a read occupies its thread: {@code base + perKib * KiB read}.
   *
   * @param baseNanos for each read
   * @param perKibNanos for each KiB of the value
   * @param unequal nodes that differ, by number from 1
   */
  public record ServiceModel(long baseNanos, long perKibNanos, Map<Integer, Unequal> unequal) {
    /**
     * A node that is slower, or stalls periodically.
     *
     * @param times factor on its service time; 1 for none
     * @param pauseNanos duration of each stall; 0 for none
     * @param everyNanos period of the stalls
     */
    public record Unequal(double times, long pauseNanos, long everyNanos) {
      /** Its speed relative to that of an undisturbed node. */
      double speed() {
        return (pauseNanos == 0 ? 1 : 1 - (double) pauseNanos / everyNanos) / times;
      }
    }

    /** Copies the map in the order of the nodes. */
    public ServiceModel {
      unequal = Collections.unmodifiableMap(new TreeMap<>(unequal));
    }

    /** All nodes alike. */
    public ServiceModel(long baseNanos, long perKibNanos) {
      this(baseNanos, perKibNanos, Map.of());
    }

    /** Modelled service time of one value. */
    public long serviceNanos(long valueBytes) {
      return baseNanos + perKibNanos * valueBytes / 1024;
    }

    /** The configured factor on a node's service time; nodes are numbered from 1. */
    public double times(int node) {
      return unequal.containsKey(node) ? unequal.get(node).times() : 1;
    }

    /** The total speed of nodes, given by their numbers from 1, in units of undisturbed nodes. */
    public double speeds(IntStream nodes) {
      return nodes
          .mapToDouble(node -> unequal.containsKey(node) ? unequal.get(node).speed() : 1)
          .sum();
    }
  }
}
