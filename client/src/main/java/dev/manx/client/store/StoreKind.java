/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import dev.manx.policy.config.ConfigNode;

/**
 * A kind of store that configuration can name. A jar adds one by a service file that names its
 * implementation; a name that is taken is refused.
 */
public interface StoreKind {
  /** Its name in {@code store: { kind: ... }}. */
  String name();

  /**
   * Reads its settings. The caller refuses the keys that this did not ask for.
   *
   * @param node a mapping with {@code kind} and the settings, or the name alone
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  StoreFactory read(ConfigNode node);
}
