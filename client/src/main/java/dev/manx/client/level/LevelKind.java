/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import dev.manx.policy.config.ConfigNode;

/**
 * A kind of second level that configuration can name. A jar adds one by a service file that names
 * its implementation; a name that is taken is refused.
 */
public interface LevelKind {
  /** Its name: the key in {@code second-level} by which the kind is chosen. */
  String name();

  /**
   * Reads what is its own. The caller refuses the keys that this did not ask for.
   *
   * @param node the mapping {@code second-level}
   * @param settings what all kinds have
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  LevelLink read(ConfigNode node, LevelSettings settings);
}
