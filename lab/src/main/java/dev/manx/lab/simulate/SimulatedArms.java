/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.simulate;

import static dev.manx.lab.experiment.ExperimentWriter.ordered;

import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.YamlText;
import dev.manx.lab.simulate.SimulatedExperiment.SimulatedArm;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Presets;
import dev.manx.policy.strategy.Strategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes {@code arms:} of a simulated experiment. */
final class SimulatedArms {
  private final Path file;
  private final List<String> chosen;

  /**
   * For a file.
   *
   * @param chosen only these arms; empty for all
   */
  SimulatedArms(Path file, List<String> chosen) {
    this.file = file;
    this.chosen = chosen;
  }

  List<SimulatedArm> read(ConfigNode node) {
    List<String> names = CommonSettings.arms(node);
    List<String> running = CommonSettings.chosen(chosen, names, file.toString());
    return names.stream()
        .map(name -> arm(name, node.at(name)))
        .filter(arm -> running.contains(arm.name()))
        .toList();
  }

  private SimulatedArm arm(String name, ConfigNode node) {
    String description = node.find("description").map(ConfigNode::text).orElse("");
    ConfigNode strategy = node.at("strategy");
    if (!strategy.isMapping() && Presets.find(strategy.text()).isEmpty()) {
      strategy = ofFile(strategy);
    }
    String document = Strategy.of(strategy, Host.simulator(() -> 0, () -> 0)).document();
    node.noOtherKeys();
    return new SimulatedArm(name, description, document);
  }

  private ConfigNode ofFile(ConfigNode node) {
    Path named = file.toAbsolutePath().resolveSibling(node.text());
    try {
      ConfigNode top = ConfigNode.parse(named.toString(), Files.readString(named));
      ConfigNode strategy = top.at("strategy");
      top.find("plugin");
      top.noOtherKeys();
      return strategy;
    } catch (IOException e) {
      throw node.refuse(
          "a mapping, a preset (%s), or a readable file (looked for %s)"
              .formatted(Presets.names(), named));
    }
  }

  /** Arms with every value in place, as they are read. */
  static Map<String, Object> written(List<SimulatedArm> arms) {
    Map<String, Object> out = new LinkedHashMap<>();
    for (SimulatedArm arm : arms) {
      ConfigNode document = ConfigNode.parse(arm.name(), arm.document());
      out.put(
          arm.name(),
          ordered(
              "description", arm.description(),
              "strategy", YamlText.mapping(document.at("strategy"))));
    }
    return out;
  }
}
