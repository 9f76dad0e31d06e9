/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.util.List;

/**
 * A kind of store that the configuration can name. A jar adds one with a service file that names
 * its implementation; duplicate names are rejected.
 */
public interface StoreKind {
  /** Its name in {@code store: { kind: ... }}. */
  String name();

  /**
   * Reads its settings. The caller rejects keys that this method did not read.
   *
   * @param node a mapping with {@code kind} and the settings, or the name alone
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
   */
  StoreFactory read(ConfigNode node);

  /** Its settings with a single value, for editors; {@code instances} is not among them. */
  default List<Setting> settings() {
    return List.of();
  }
}
