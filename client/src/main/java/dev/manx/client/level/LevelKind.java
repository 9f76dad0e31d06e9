/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.util.List;

/**
 * A kind of second level that the configuration can name. A jar adds one with a service file that
 * names its implementation; duplicate names are rejected.
 */
public interface LevelKind {
  /** Its name: the key in {@code second-level} by which the kind is chosen. */
  String name();

  /**
   * Reads the settings of this kind. The caller rejects keys that this method did not read.
   *
   * @param node the mapping {@code second-level}
   * @param settings settings common to all kinds
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
   */
  LevelLink read(ConfigNode node, LevelSettings settings);

  /** The settings of this kind that have a single value, for editors, except the address. */
  default List<Setting> settings() {
    return List.of();
  }
}
