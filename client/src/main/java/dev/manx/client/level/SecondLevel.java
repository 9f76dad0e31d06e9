/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import java.util.Objects;

/**
 * A cache's second level.
 *
 * @param link to its servers; the cache opens and closes it
 * @param settings common to all kinds
 */
public record SecondLevel(LevelLink link, LevelSettings settings) {
  /** Rejects missing components. */
  public SecondLevel {
    Objects.requireNonNull(link, "link");
    Objects.requireNonNull(settings, "settings");
  }
}
