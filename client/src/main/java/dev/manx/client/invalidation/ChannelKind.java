/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import dev.manx.policy.config.ConfigNode;

/**
 * A kind of channel for invalidations that configuration can name. A jar adds one by a service file
 * that names its implementation; a name that is taken is refused.
 */
public interface ChannelKind {
  /** Its name: the key in {@code invalidations} by which the channel is chosen. */
  String name();

  /**
   * Reads its settings. The caller refuses the keys that this did not ask for.
   *
   * @param node the mapping {@code invalidations}
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  InvalidationChannel read(ConfigNode node);
}
