/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import dev.manx.load.connect.FileReasons;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** {@code clusters.yaml}: clusters by name. */
final class ClustersFile {
  private final Path file;
  private final ConfigNode top;

  private ClustersFile(Path file, ConfigNode top) {
    this.file = file;
    this.top = top;
  }

  /** The default path. */
  static Path standard() {
    String config = System.getenv("XDG_CONFIG_HOME");
    Path folder =
        config == null || config.isBlank()
            ? Path.of(System.getProperty("user.home"), ".config")
            : Path.of(config);
    return folder.resolve("manx").resolve("clusters.yaml");
  }

  /**
   * Reads the file; a missing file has no clusters.
   *
   * @throws ConfigException if it is not a YAML mapping
   */
  static ClustersFile read(Path file) {
    if (!Files.exists(file)) {
      return new ClustersFile(file, ConfigNode.parse(file.toString(), "{}"));
    }
    try {
      return new ClustersFile(file, ConfigNode.parse(file.toString(), Files.readString(file)));
    } catch (IOException e) {
      throw ConfigException.unreadable(file.toString(), FileReasons.why(e));
    }
  }

  /** The names in it. */
  Set<String> names() {
    return top.names();
  }

  /** Whether it defines this cluster. */
  boolean has(String name) {
    return top.names().contains(name);
  }

  /**
   * Reads one cluster.
   *
   * @throws ConfigException if a setting is invalid, with file, line, key, value and allowed values
   */
  NamedCluster cluster(String name) {
    return NamedCluster.read(top.at(name), file.toAbsolutePath().getParent());
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
