/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.config.ConfigNode;

/**
 * A file with a strategy: its key is {@code strategy}. It may be a node's {@code manx.yaml}, whose
 * other sections are not read.
 *
 * @param strategy the value of its key
 * @param isOfNode whether it has sections of a node
 */
public record StrategyFile(ConfigNode strategy, boolean isOfNode) {
  /**
   * Finds the strategy; does not check it.
   *
   * @param file its name, for errors
   * @throws dev.manx.policy.config.ConfigException if there is none, or an unknown key
   */
  public static StrategyFile of(String file, String text) {
    ConfigNode top = ConfigNode.parse(file, text);
    ConfigNode strategy = top.at("strategy");
    boolean plugin = top.find("plugin").isPresent();
    boolean record = top.find("record").isPresent();
    top.noOtherKeys();
    return new StrategyFile(strategy, plugin || record);
  }
}
