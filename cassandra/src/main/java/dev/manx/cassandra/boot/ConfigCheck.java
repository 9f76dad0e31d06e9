/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.Units;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Host;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads a {@code manx.yaml} as a node would, without a node: {@code java -jar
 * manx-cassandra-VERSION.jar manx.yaml}. Uses no class outside the jar, not even a logger. Limits
 * that depend on the node (its heap, its time-outs) are checked only on the node. The property
 * {@code manx.request-threads} gives the number of the node's request threads, which determines the
 * least heap; without it, the number follows from Cassandra's defaults.
 */
public final class ConfigCheck {
  private static final String THREADS = "manx.request-threads";

  private ConfigCheck() {}

  /** Exit code 0: valid, 1: refused, 2: bad usage. */
  public static void main(String[] arguments) {
    int threads = Integer.getInteger(THREADS, NodeLimits.USUAL_THREADS);
    System.exit(run(arguments, Math.max(1, threads), System.out));
  }

  static int run(String[] arguments, PrintStream out) {
    return run(arguments, NodeLimits.USUAL_THREADS, out);
  }

  static int run(String[] arguments, int threads, PrintStream out) {
    if (arguments.length != 1 || arguments[0].startsWith("-")) {
      out.println("usage: java -jar manx-cassandra-VERSION.jar manx.yaml");
      return 2;
    }
    try {
      PluginConfig.Loaded loaded = PluginConfig.load(Path.of(arguments[0]));
      Optional<Blueprint> strategy =
          loaded.strategy().map(node -> Blueprint.of(node, Host.node(System::nanoTime)));
      out.println("valid: " + loaded.file());
      PersistedRows persisted = persisted(loaded.plugin(), out);
      out.println("mode: " + persisted.plugin(loaded.plugin()).mode().label());
      out.println("kill-file: " + loaded.plugin().killFile());
      out.println("persisted-file: " + loaded.plugin().persistedFile());
      out.println(
          "strategy: "
              + persisted
                  .strategy(System::nanoTime)
                  .or(() -> strategy)
                  .map(ConfigCheck::words)
                  .orElse("none, all decisions are stock's"));
      strategy
          .map(Blueprint::maxWaitNanos)
          .ifPresent(wait -> wait.ifPresent(nanos -> longest(out, nanos)));
      long bytes = strategy.map(ConfigCheck::memoryBytes).orElse(0L);
      // The node's heap is unknown here, but the least heap for the strategy is known.
      out.println(
          "memory of the strategy: "
              + Units.bytes(bytes)
              + "; least heap of a node: "
              + Units.bytes(NodeLimits.heapBytes(loaded.plugin(), bytes, threads)));
      persisted
          .strategy(System::nanoTime)
          .ifPresent(
              other -> out.println("persisted needs: " + needs(loaded.plugin(), other, threads)));
      return 0;
    } catch (ConfigException e) {
      out.println(e.getMessage());
      return 1;
    }
  }

  /** The usable persisted switches of this node. */
  private static PersistedRows persisted(PluginConfig own, PrintStream out) {
    try {
      PersistedFile file = new PersistedFile(own.persistedFile());
      PersistedRows rows = PersistedRows.of(file, file.read());
      if (!rows.isEmpty()) {
        rows.plugin(own);
        rows.strategy(System::nanoTime);
        rows.judge();
        out.println("persisted: " + rows.words() + " in " + own.persistedFile());
      }
      return rows;
    } catch (ConfigException e) {
      out.println("persisted: " + unused(e.getMessage()));
      return PersistedRows.NONE;
    }
  }

  /** Only the node's own user may read the file, so the node itself would not get this error. */
  static String unused(String reason) {
    return reason.endsWith(FileWords.DENIED)
        ? "not checked: " + reason + "; run this as Cassandra's user"
        : "ignored: " + reason;
  }

  private static void longest(PrintStream out, long nanos) {
    out.println(
        "max-wait: "
            + Units.duration(nanos)
            + "; least read_request_timeout of a node: "
            + Units.duration(2 * nanos));
  }

  /**
   * The node's limits that a persisted strategy needs; without them the node ignores all persisted
   * switches.
   */
  private static String needs(PluginConfig plugin, Blueprint strategy, int threads) {
    long bytes = NodeLimits.heapBytes(plugin, memoryBytes(strategy), threads);
    String heap = "heap " + Units.bytes(bytes);
    OptionalLong wait = strategy.maxWaitNanos();
    return wait.isEmpty()
        ? heap
        : heap
            + ", read_request_timeout "
            + Units.duration(2 * wait.getAsLong())
            + " for max-wait "
            + Units.duration(wait.getAsLong());
  }

  private static String words(Blueprint strategy) {
    return Stream.of("select", "order", "fanout")
        .map(family -> strategy.names().get(family))
        .collect(Collectors.joining(", "));
  }

  private static long memoryBytes(Blueprint strategy) {
    return strategy.memoryBytes().values().stream().mapToLong(Long::longValue).sum();
  }
}
