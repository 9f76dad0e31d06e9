/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.Units;
import dev.manx.policy.strategy.Strategy;
import java.util.OptionalLong;
import org.apache.cassandra.net.Verb;

/**
 * What is right in itself but not on this node: waits beyond its time-outs, memory beyond its heap.
 */
final class NodeLimits {
  private static final int HEAP_SHARE = 8;
  // A ticket's place in the table, with the room that open addressing needs.
  private static final long TICKET_BYTES = 100;

  private NodeLimits() {}

  /**
   * Checks a strategy.
   *
   * @throws ConfigException if a read could wait into its time-out, or the oracle is too large
   */
  static void check(String file, Strategy strategy) {
    OptionalLong maxWait = strategy.maxWaitNanos();
    long longest = Verb.READ_REQ.expiresAfterNanos() / 2;
    if (maxWait.isPresent() && maxWait.getAsLong() > longest) {
      throw new ConfigException(
          file,
          0,
          "strategy.order.max-wait",
          Units.duration(maxWait.getAsLong()),
          "up to " + Units.duration(longest) + ", half of this node's read_request_timeout");
    }
    if (strategy.sizes() != null) {
      memory(file, "strategy.oracles.size.memory", strategy.sizes().memoryBytes());
    }
  }

  /**
   * Checks the plugin's settings.
   *
   * @throws ConfigException if the table of outstanding reads is too large
   */
  static void check(String file, PluginConfig config) {
    memory(file, "plugin.outstanding", config.outstanding() * TICKET_BYTES);
  }

  private static void memory(String file, String key, long bytes) {
    long most = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    if (bytes > most) {
      throw new ConfigException(
          file,
          0,
          key,
          Units.bytes(bytes),
          "up to " + Units.bytes(most) + ", an eighth of this node's heap");
    }
  }
}
