/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.look;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.strategy.Presets;
import dev.manx.policy.strategy.Strategy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Short names of strategies: a preset's name, else the policies' names. */
public final class StrategyNames {
  private static final Map<String, String> PRESETS = presets();

  private StrategyNames() {}

  private static Map<String, String> presets() {
    Map<String, String> names = new LinkedHashMap<>();
    for (Presets.Preset preset : Presets.all()) {
      try {
        names.putIfAbsent(parse("strategy: " + preset.name()).document(), preset.name());
      } catch (ConfigException e) {
        // supported only by the simulator
      }
    }
    return names;
  }

  /**
   * Parses a strategy as a node does.
   *
   * @throws ConfigException if it is invalid
   */
  public static Strategy parse(String yaml) {
    return Strategy.parse("strategy", yaml, System::nanoTime);
  }

  /** The names of a document's policies by family; none if it is invalid in this version. */
  static Map<String, String> policiesOf(String document) {
    try {
      return parse(document).names();
    } catch (ConfigException e) {
      return Map.of();
    }
  }

  /** The short name of a node's strategy. */
  public static String of(NodeState state) {
    String preset = PRESETS.get(state.row("document"));
    return preset != null ? preset : policies(state);
  }

  /** The names of a node's policies. */
  public static String policies(NodeState state) {
    return Stream.of("select", "order", "fanout")
        .map(family -> state.row("policy." + family))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.joining(" "));
  }
}
