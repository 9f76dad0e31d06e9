/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.exchange.ExchangeRounds;
import dev.manx.cassandra.metrics.RequestLatency;
import dev.manx.cassandra.read.ReadStage;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.Units;
import dev.manx.policy.spi.Settings;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Strategy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.cassandra.config.DatabaseDescriptor;

/**
 * Refuses settings and strategies that do not fit this node: waits beyond its time-outs or memory
 * beyond its heap.
 */
final class NodeLimits {
  /**
   * The part of the heap, as a divisor, that a strategy may use, and that everything else on the
   * node may use.
   */
  private static final int HEAP_SHARE = 8;

  private static final String PLANS = "plans of the request threads";
  private static final String NODES = "plugin.nodes";
  private static final String OUTSTANDING = "plugin.outstanding";
  private static final String TABLES = "plugin.metrics-tables";

  /** The same divisor for answers in flight to multigets whose paging was removed. */
  private static final int FLIGHT_SHARE = 4;

  private static final long MEBIBYTE = 1 << 20;

  // A ticket's slot in the table, including the slack of open addressing.
  private static final long TICKET_BYTES = 100;

  /**
   * The arrays of a plan that a request thread keeps have 112 bytes for each read, and 28 for each
   * of its replicas, three of them.
   */
  static final long PLAN_READ_BYTES = 112 + 3 * 28L;

  /** Each plan has arrays by node too: the planned work and the nodes in use. */
  static final long PLAN_NODE_BYTES = 36;

  // Cassandra's defaults together, for checking a file without the node's cassandra.yaml.
  static final int USUAL_THREADS = 128 + 32 + 32;

  private NodeLimits() {}

  /** Most bytes of this node's heap for a strategy. */
  static long mostBytes() {
    return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
  }

  /**
   * Checks a strategy before allocating any of it.
   *
   * @throws ConfigException if a read could wait into its time-out, coordinators would exchange too
   *     much data, or its parts together would use too much memory
   */
  static void check(String file, Blueprint strategy) {
    OptionalLong maxWait = strategy.maxWaitNanos();
    long longest = ReadStage.longestWaitNanos();
    if (maxWait.isPresent() && maxWait.getAsLong() > longest) {
      throw new ConfigException(
          file,
          0,
          "strategy.order.max-wait",
          Units.duration(maxWait.getAsLong()),
          "up to " + Units.duration(longest) + ", half of this node's read_request_timeout");
    }
    strategy.exchange().ifPresent(exchange -> exchange(file, exchange));
    memory(file, strategy.memoryBytes(), Runtime.getRuntime().maxMemory());
  }

  /**
   * Whether reads of a checked strategy may wait into their time-out, since that was lowered on the
   * running node.
   *
   * @return empty, or the reason in words
   */
  static String waitsTooLong(Strategy strategy) {
    OptionalLong maxWait = strategy.maxWaitNanos();
    long longest = ReadStage.longestWaitNanos();
    return maxWait.isPresent() && maxWait.getAsLong() > longest
        ? "strategy.order.max-wait is "
            + Units.duration(maxWait.getAsLong())
            + ", more than "
            + Units.duration(longest)
            + ", half of this node's read_request_timeout: reads may wait into their time-out;"
            + " set a document with a shorter max-wait, or raise the time-out"
        : "";
  }

  static void exchange(String file, Settings exchange) {
    if (exchange.number("interval") < ExchangeRounds.LEAST_INTERVAL_NANOS) {
      throw new ConfigException(
          file,
          0,
          "strategy.exchange.interval",
          Units.duration(exchange.number("interval")),
          "from " + Units.duration(ExchangeRounds.LEAST_INTERVAL_NANOS) + " on a node");
    }
    if (exchange.number("most-keys") > ExchangeRounds.MOST_KEYS) {
      throw new ConfigException(
          file,
          0,
          "strategy.exchange.most-keys",
          String.valueOf(exchange.number("most-keys")),
          "up to " + ExchangeRounds.MOST_KEYS + " on a node");
    }
  }

  static void memory(String file, Map<String, Long> parts, long heapBytes) {
    long share = heapBytes / HEAP_SHARE;
    long left = share;
    for (Map.Entry<String, Long> part : parts.entrySet()) {
      if (part.getValue() > left) {
        throw new ConfigException(
            file,
            0,
            part.getKey(),
            Units.bytes(part.getValue()),
            "up to "
                + Units.bytes(left)
                + (left < share
                    ? ": all parts of the strategy together may use " + Units.bytes(share)
                    : "")
                + ", an eighth of this node's heap");
      }
      left -= part.getValue();
    }
  }

  /**
   * Checks the plugin's settings.
   *
   * @throws ConfigException if the plans of all request threads, the table of outstanding reads and
   *     the metrics together, or the answers in flight, could use too much memory
   */
  static void check(String file, PluginConfig config) {
    check(file, config, requestThreads(), Runtime.getRuntime().maxMemory());
  }

  /** Threads move from stage to stage, and each keeps its plan. */
  private static int requestThreads() {
    return DatabaseDescriptor.getNativeTransportMaxThreads()
        + DatabaseDescriptor.getConcurrentReaders()
        + DatabaseDescriptor.getConcurrentWriters();
  }

  /**
   * The number of reads for whose plan each request thread keeps its arrays, with these settings.
   */
  static int keptReads(PluginConfig config) {
    return keptReads(config, requestThreads(), Runtime.getRuntime().maxMemory());
  }

  /**
   * The number of reads for which the other parts leave room, as a power of two, since the arrays
   * grow by doubling.
   */
  static int keptReads(PluginConfig config, int threads, long heap) {
    long left = heap / HEAP_SHARE;
    for (long part : parts(config, threads).values()) {
      left -= part;
    }
    long more = Math.max(0, left) / (PLAN_READ_BYTES * threads);
    long most = Math.min(ThreadPlan.LEAST_KEPT_READS + more, ThreadPlan.MOST_KEPT_READS);
    return (int) Long.highestOneBit(most);
  }

  static void check(String file, PluginConfig config, int requestThreads, long heap) {
    together(file, config, parts(config, requestThreads), heap / HEAP_SHARE);
    if (config.bytesInFlight() > heap / FLIGHT_SHARE) {
      throw new ConfigException(
          file,
          0,
          "plugin.in-flight.bytes",
          Units.bytes(config.bytesInFlight()),
          "up to " + Units.bytes(heap / FLIGHT_SHARE) + ", a quarter of this node's heap");
    }
  }

  /** Names the setting with the largest part as the cause. */
  private static void together(
      String file, PluginConfig config, Map<String, Long> parts, long share) {
    if (parts.values().stream().mapToLong(Long::longValue).sum() <= share) {
      return;
    }
    String largest =
        parts.entrySet().stream()
            .filter(part -> !part.getKey().equals(PLANS))
            .max(Map.Entry.comparingByValue())
            .orElseThrow()
            .getKey();
    long value =
        switch (largest) {
          case NODES -> config.nodes();
          case OUTSTANDING -> config.outstanding();
          default -> config.metricsTables();
        };
    List<String> all = new ArrayList<>();
    parts.forEach((key, bytes) -> all.add(key + " " + Units.bytes(bytes)));
    throw new ConfigException(
        file,
        0,
        largest,
        String.valueOf(value),
        Units.bytes(share)
            + ", an eighth of this node's heap, for all of: "
            + String.join(", ", all));
  }

  /** The memory of the node besides its strategy. */
  private static Map<String, Long> parts(PluginConfig config, int threads) {
    Map<String, Long> parts = new LinkedHashMap<>();
    // If more room is left, the threads keep more.
    parts.put(PLANS, ThreadPlan.LEAST_KEPT_READS * PLAN_READ_BYTES * threads);
    parts.put(NODES, config.nodes() * PLAN_NODE_BYTES * threads);
    parts.put(OUTSTANDING, config.outstanding() * TICKET_BYTES);
    parts.put(TABLES, RequestLatency.mostBytes(config.metricsTables()));
    return parts;
  }

  /**
   * The smallest heap with room for settings and strategy, in whole mebibytes.
   *
   * @param requestThreads the most request threads of the node, at least 1
   */
  static long heapBytes(PluginConfig config, long strategyBytes, int requestThreads) {
    long own = 0;
    for (long part : parts(config, requestThreads).values()) {
      own += part;
    }
    long least =
        Math.max(Math.max(strategyBytes, own) * HEAP_SHARE, config.bytesInFlight() * FLIGHT_SHARE);
    return (least + MEBIBYTE - 1) / MEBIBYTE * MEBIBYTE;
  }

  /**
   * Builds a checked strategy.
   *
   * @param earlier a strategy whose learnt data it takes over, or null
   * @throws ConfigException if a policy cannot be built, even because of a VM error, since the
   *     check does not know how much of the heap is free
   */
  static Strategy build(String file, Blueprint strategy, Strategy earlier) {
    try {
      return strategy.build(earlier);
    } catch (ConfigException e) {
      throw e;
    } catch (RuntimeException | LinkageError | OutOfMemoryError | StackOverflowError e) {
      throw new ConfigException(
          file, 0, "strategy", e.toString(), "a strategy that can be built on this node");
    }
  }
}
