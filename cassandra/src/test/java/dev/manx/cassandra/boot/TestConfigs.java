/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.ConfigNode;
import java.nio.file.Path;

/** Settings without a file. */
public final class TestConfigs {
  private TestConfigs() {}

  /** All defaults. */
  public static PluginConfig defaults() {
    return PluginConfig.read(ConfigNode.parse("none", "plugin: {}"), Path.of("manx.yaml"));
  }
}
