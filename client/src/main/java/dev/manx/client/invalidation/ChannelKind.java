/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.util.List;

/**
 * A kind of invalidation channel that the configuration can name. A jar adds one with a service
 * file that names its implementation; duplicate names are rejected.
 */
public interface ChannelKind {
  /** A name that the servers of an application share, and no other application uses. */
  Setting APPLICATION =
      Setting.text(
              "application",
              "",
              "[A-Za-z0-9._-]{1,64}",
              "1 to 64 letters, digits, '.', '_', '-'",
              "name that the servers of an application share, and no other application uses")
          .withoutStandard();

  /** Its name: the key in {@code invalidations} by which the channel is chosen. */
  String name();

  /**
   * Reads its settings. The caller rejects keys that this method did not read.
   *
   * @param node the mapping {@code invalidations}
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
   */
  InvalidationChannel read(ConfigNode node);

  /** Its settings with a single value, for editors, except the address and the application. */
  default List<Setting> settings() {
    return List.of();
  }
}
