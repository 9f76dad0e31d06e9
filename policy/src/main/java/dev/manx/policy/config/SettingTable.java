/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import java.util.List;

/** Settings as a guide shows them; tests compare the guides with this table. */
public final class SettingTable {
  private SettingTable() {}

  /** A Markdown table with name, default, allowed values and meaning. */
  public static String markdown(List<Setting> settings) {
    StringBuilder table =
        new StringBuilder("| setting | default | allowed | meaning |\n|---|---|---|---|\n");
    for (Setting setting : settings) {
      table.append("| `").append(setting.name()).append("` | ");
      Object standard = setting.standard();
      table.append(standard == null ? "none" : setting.write(standard)).append(" | ");
      table.append(setting.range()).append(" | ").append(setting.meaning()).append(" |\n");
    }
    return table.toString();
  }
}
