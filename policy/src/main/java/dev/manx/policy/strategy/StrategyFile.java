/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.NodeSettings;
import java.util.List;
import java.util.Optional;

/**
 * A file with a strategy: its key is {@code strategy}. It may be a node's {@code manx.yaml}, whose
 * other sections are not read.
 *
 * @param strategy the value of its key
 * @param others the names of its other sections
 */
public record StrategyFile(ConfigNode strategy, List<String> others) {
  /** Copies the list. */
  public StrategyFile {
    others = List.copyOf(others);
  }

  /**
   * Finds the strategy; does not check it.
   *
   * @param file its name, for errors
   * @throws dev.manx.policy.config.ConfigException if there is none, or an unknown key
   */
  public static StrategyFile of(String file, String text) {
    ConfigNode top = ConfigNode.parse(file, text);
    ConfigNode strategy = top.at("strategy");
    List<String> others =
        NodeSettings.SECTIONS.stream().filter(name -> top.find(name).isPresent()).toList();
    top.noOtherKeys();
    return new StrategyFile(strategy, others);
  }

  /** One line about the sections that are not read; empty if there are none. */
  public Optional<String> ignored() {
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Only the strategy of "
                + strategy.file()
                + " is used; ignored: "
                + String.join(", ", others));
  }
}
