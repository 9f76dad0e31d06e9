/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.simulator.Check;
import java.util.LinkedHashMap;
import java.util.Map;

/** The verdicts of the checkers on all turns. Confined to one thread. */
final class CheckVerdicts {
  private static final String FAILS = "FAILS";

  private final Map<String, int[]> counts = new LinkedHashMap<>();

  void add(Check check) {
    counts.computeIfAbsent(check.name(), k -> new int[2])[check.holds() ? 0 : 1]++;
  }

  /** A line for each check, by name. */
  Map<String, String> lines() {
    Map<String, String> lines = new LinkedHashMap<>();
    counts.forEach(
        (name, count) ->
            lines.put(
                name,
                count[1] == 0
                    ? "holds in all " + count[0] + " runs"
                    : FAILS + " in " + count[1] + " of " + (count[0] + count[1]) + " runs"));
    return lines;
  }

  /** The lines of the failed checks among the settings of {@code environment.json}, by name. */
  static Map<String, String> failed(Map<String, String> settings) {
    Map<String, String> failed = new LinkedHashMap<>();
    settings.forEach(
        (name, line) -> {
          if (name.startsWith(SettingPrefix.CHECK) && line.startsWith(FAILS)) {
            failed.put(name.substring(SettingPrefix.CHECK.length()), line);
          }
        });
    return failed;
  }
}
