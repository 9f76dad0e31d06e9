/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.Units;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.strategy.Strategy;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How full the bounded structures are, for people. */
final class Bounds {
  private Bounds() {}

  static Map<String, String> of(Strategy strategy, ClusterState state) {
    Map<String, String> rows = new TreeMap<>();
    rows.put("tickets.open", state.tickets().size() + " of " + state.tickets().capacity());
    rows.put("tickets.memory", Units.bytes(state.tickets().memoryBytes()));
    if (strategy.sizes() != null) {
      rows.put("oracle.size.memory", Units.bytes(strategy.sizes().memoryBytes()));
      rows.put(
          "oracle.size.fill-ratio",
          String.format(Locale.ROOT, "%.4f", strategy.sizes().fillRatio()));
    }
    rows.put("forecast.small", Units.duration(strategy.forecast().smallNanos()));
    rows.put("forecast.large", Units.duration(strategy.forecast().largeNanos()));
    return rows;
  }
}
