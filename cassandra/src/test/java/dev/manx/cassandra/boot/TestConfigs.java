/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.ConfigNode;
import java.nio.file.Path;

/** Settings without a file. */
public final class TestConfigs {
  private TestConfigs() {}

  /** All defaults. */
  public static PluginConfig defaults() {
    return of("{}");
  }

  /** The given settings of section {@code plugin}. */
  public static PluginConfig of(String plugin) {
    return PluginConfig.read(ConfigNode.parse("none", "plugin: " + plugin), Path.of("manx.yaml"));
  }
}
