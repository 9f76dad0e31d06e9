/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.YamlText;
import dev.manx.load.DriverSettings;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Presets;
import dev.manx.policy.strategy.Strategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads {@code arms:}. */
public final class ArmReader {
  private final Path folder;

  /** Names of strategy files are relative to the folder. */
  public ArmReader(Path folder) {
    this.folder = folder;
  }

  /**
   * Reads all of them.
   *
   * @throws ConfigException if one is refused
   */
  public List<ClusterArm> read(ConfigNode node) {
    List<ClusterArm> arms = new ArrayList<>();
    for (String name : CommonSettings.arms(node)) {
      arms.add(arm(name, node.at(name)));
    }
    return arms;
  }

  private ClusterArm arm(String name, ConfigNode node) {
    ClusterArm.Mode mode =
        ClusterArm.Mode.valueOf(
            node.at("mode").oneOf("absent", "off", "shadow", "on").toUpperCase(Locale.ROOT));
    String description = node.find("description").map(ConfigNode::text).orElse("");
    boolean paged =
        node.find("paging")
            .map(n -> n.oneOf("off", "driver-default").equals("driver-default"))
            .orElse(false);
    Optional<ConfigNode> strategy = node.find("strategy");
    StockSettings stock = StockSettings.read(node);
    Optional<DriverSettings> driver = node.find("driver").map(ArmDriver::read);
    if (!stock.dynamicSnitch() && (mode == ClusterArm.Mode.SHADOW || mode == ClusterArm.Mode.ON)) {
      throw node.at("dynamic-snitch").refuse("on, in mode " + mode.label());
    }
    node.noOtherKeys();
    if (mode == ClusterArm.Mode.OFF || mode == ClusterArm.Mode.ABSENT) {
      strategy.ifPresent(
          n -> {
            throw n.refuse(
                "no strategy in mode " + mode.label() + ": mode on or shadow, or leave it out");
          });
      return new ClusterArm(name, description, mode, Map.of(), stock, driver, paged);
    }
    return new ClusterArm(
        name, description, mode, strategy(node.at("strategy")), stock, driver, paged);
  }

  private Map<String, Object> strategy(ConfigNode node) {
    if (node.isMapping() || Presets.find(node.text()).isPresent()) {
      return resolved(node);
    }
    Path file = folder.resolve(node.text());
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw node.refuse(
          "a mapping, a preset (%s), or a readable file (looked for %s)"
              .formatted(Presets.names(), file));
    }
    ConfigNode top = ConfigNode.parse(file.toString(), text);
    ConfigNode strategy = top.at("strategy");
    if (!strategy.isMapping()) {
      throw new ConfigException(
          file.toString(), strategy.line(), "strategy", strategy.text(), "a mapping");
    }
    top.find("plugin");
    top.noOtherKeys();
    return resolved(strategy);
  }

  /** Checked as a node would check it, and with every default in its place. */
  private static Map<String, Object> resolved(ConfigNode strategy) {
    String document = Strategy.of(strategy, System::nanoTime).document();
    return YamlText.mapping(ConfigNode.parse(strategy.file(), document).at("strategy"));
  }
}
