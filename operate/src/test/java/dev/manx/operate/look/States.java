/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.look;

import dev.manx.operate.look.NodeState.Hook;
import dev.manx.operate.look.NodeState.Manx;
import java.util.Map;
import java.util.TreeMap;

/** Node states for tests. */
public final class States {
  private States() {}

  /**
   * A healthy node with preset {@code manx}; rows are pairs of name and value that replace its own.
   */
  public static NodeState node(String name, String... rows) {
    Map<String, String> strategy = new TreeMap<>();
    strategy.put("mode", "on");
    strategy.put("version", "0.1.0");
    strategy.put("document", StrategyNames.parse("strategy: manx").document());
    strategy.put("policy.select", "select.low");
    strategy.put("breaker", "closed");
    strategy.put("trouble", "");
    strategy.put("queues", "none: requests are left to stock");
    strategy.put("record", "off");
    for (int i = 0; i < rows.length; i += 2) {
      strategy.put(rows[i], rows[i + 1]);
    }
    return new NodeState(
        name,
        "dc1",
        Manx.PRESENT,
        "",
        strategy,
        Map.of("snitch", new Hook("installed", ""), "outbound", new Hook("installed", "")),
        Map.of(),
        0);
  }

  /** A copy at another time, with counters: pairs of name and value. */
  public static NodeState counting(NodeState node, double seconds, Object... counters) {
    Map<String, Long> counted = new TreeMap<>();
    for (int i = 0; i < counters.length; i += 2) {
      counted.put((String) counters[i], ((Number) counters[i + 1]).longValue());
    }
    return new NodeState(
        node.node(),
        node.datacenter(),
        node.manx(),
        node.why(),
        node.strategy(),
        node.hooks(),
        counted,
        Math.round(seconds * 1e9));
  }

  /** A copy with a failed hook. */
  public static NodeState failing(NodeState node, String hook, String why) {
    Map<String, Hook> hooks = new TreeMap<>(node.hooks());
    hooks.put(hook, new Hook("failed", why));
    return new NodeState(
        node.node(),
        node.datacenter(),
        node.manx(),
        node.why(),
        node.strategy(),
        hooks,
        node.counters(),
        node.nanos());
  }

  /** A node on which Manx does not answer. */
  public static NodeState without(String name, Manx manx, String why) {
    return new NodeState(name, "dc1", manx, why, Map.of(), Map.of(), Map.of(), 0);
  }
}
