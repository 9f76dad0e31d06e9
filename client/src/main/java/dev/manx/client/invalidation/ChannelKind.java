/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import dev.manx.policy.config.ConfigNode;

/**
 * A kind of invalidation channel that the configuration can name. A jar adds one with a service
 * file that names its implementation; duplicate names are rejected.
 */
public interface ChannelKind {
  /** Its name: the key in {@code invalidations} by which the channel is chosen. */
  String name();

  /**
   * Reads its settings. The caller rejects keys that this method did not read.
   *
   * @param node the mapping {@code invalidations}
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
   */
  InvalidationChannel read(ConfigNode node);
}
