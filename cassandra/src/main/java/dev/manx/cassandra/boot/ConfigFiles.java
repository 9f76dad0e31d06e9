/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.ConfigNode;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Optional;

/** Finds {@code manx.yaml}. */
final class ConfigFiles {
  private ConfigFiles() {}

  /**
   * {@code manx.yaml} on the class path, which begins with Cassandra's conf folder; null if
   * missing.
   */
  static Path onClassPath() {
    URL url = Thread.currentThread().getContextClassLoader().getResource("manx.yaml");
    try {
      return url == null || !"file".equals(url.getProtocol()) ? null : Path.of(url.toURI());
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /**
   * The settings of a node whose file was refused: all defaults, no strategy.
   *
   * @param path the refused file; null if there is none
   */
  static PluginConfig.Loaded defaults(Path path) {
    ConfigNode empty = ConfigNode.parse("defaults", "plugin: {mode: off}");
    Path configFile = (path == null ? Path.of("manx.yaml") : path).toAbsolutePath();
    return new PluginConfig.Loaded(
        "none",
        PluginConfig.read(empty, configFile),
        RecordConfig.read(empty, configFile),
        Optional.empty());
  }
}
