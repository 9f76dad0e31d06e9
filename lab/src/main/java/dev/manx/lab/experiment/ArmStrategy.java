/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.settings.Document;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Presets;
import dev.manx.policy.strategy.Strategy;
import dev.manx.policy.strategy.StrategyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The key {@code strategy} of an arm: a mapping, a preset, or the name of a file with one of the
 * two under this key, like a node's {@code manx.yaml}.
 */
public final class ArmStrategy {
  /** The possible forms of the value. */
  public static final Document SHAPE =
      new Document("strategy", "a mapping, a preset, or a file's name");

  private ArmStrategy() {}

  /**
   * The strategy's document, checked as by its host and with every default filled in.
   *
   * @param folder base of a relative file name
   * @throws dev.manx.policy.config.ConfigException if the file cannot be read, or the host refuses
   *     the strategy
   */
  public static String document(ConfigNode node, Path folder, Host host) {
    return Strategy.of(isWritten(node) ? node : ofFile(node, folder), host).document();
  }

  private static boolean isWritten(ConfigNode node) {
    return node.isMapping() || Presets.find(node.text()).isPresent();
  }

  private static ConfigNode ofFile(ConfigNode node, Path folder) {
    Path file = folder.resolve(node.text());
    try {
      return ofFile(file).strategy();
    } catch (IOException e) {
      throw node.refuse(
          "a mapping, a preset (%s), or a readable file (looked for %s)"
              .formatted(Presets.names(), file));
    }
  }

  /** The strategy in a file, which may be a node's. */
  public static StrategyFile ofFile(Path file) throws IOException {
    return StrategyFile.of(file.toString(), Files.readString(file));
  }
}
