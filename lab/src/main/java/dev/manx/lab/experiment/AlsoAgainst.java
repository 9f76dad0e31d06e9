/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.policy.config.Setting;
import java.util.Collection;
import java.util.List;

/**
 * Key {@code also-against}: further arms that the others are compared with. Only the report uses
 * them.
 */
public final class AlsoAgainst {
  public static final String KEY = "also-against";

  static final Key SETTING =
      Key.optionalItems(
              Setting.anyText(
                  KEY, null, "arms that the others are compared with besides the baseline"))
          .otherwise("none");

  private AlsoAgainst() {}

  /**
   * Checks a file that will run. Arms that the command line omits may be named.
   *
   * @param arms all arms of the file
   * @throws dev.manx.policy.config.ConfigException if an arm is unknown
   */
  static void check(Part top, Collection<String> arms) {
    if (top.has(KEY)) {
      String[] names = arms.toArray(String[]::new);
      top.node(KEY).items().forEach(item -> item.oneOf(names));
    }
  }

  /** Removes the arms that do not run, for the resolved file. */
  static void keepRunning(Part top, Collection<String> arms) {
    if (top.has(KEY)) {
      List<String> kept = top.words(KEY).stream().filter(arms::contains).toList();
      top.put(KEY, kept.isEmpty() ? null : kept);
    }
  }
}
