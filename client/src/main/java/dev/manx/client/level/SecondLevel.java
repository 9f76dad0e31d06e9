/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import java.util.Objects;

/**
 * What a cache is given as its second level.
 *
 * @param link to its servers; the cache opens and closes it
 * @param settings of any kind
 */
public record SecondLevel(LevelLink link, LevelSettings settings) {
  /** Checks that nothing is missing. */
  public SecondLevel {
    Objects.requireNonNull(link, "link");
    Objects.requireNonNull(settings, "settings");
  }
}
