/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
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

  /** The kill file of a refused file; empty if the file does not show it. */
  static Optional<Path> killFile(Path path) {
    try {
      ConfigNode top = ConfigNode.parse(path.toString(), Files.readString(path));
      return Optional.of(PluginConfig.killFile(top, path.toAbsolutePath()));
    } catch (IOException | ConfigException e) {
      return Optional.empty();
    }
  }

  /**
   * The settings of a node whose file was refused: all defaults except for the kill file, no
   * strategy.
   *
   * @param path the refused file; null if there is none
   * @param killFile its kill file; empty for the default
   */
  static PluginConfig.Loaded defaults(Path path, Optional<Path> killFile) {
    Map<String, String> named = new HashMap<>();
    killFile.ifPresent(
        file -> named.put("plugin.kill-file", "'" + file.toString().replace("'", "''") + "'"));
    ConfigNode empty = ConfigNode.parse("defaults", "plugin: {mode: off}", named);
    Path configFile = (path == null ? Path.of("manx.yaml") : path).toAbsolutePath();
    return new PluginConfig.Loaded(
        "none",
        PluginConfig.read(empty, configFile),
        RecordConfig.read(empty, configFile),
        Optional.empty());
  }
}
