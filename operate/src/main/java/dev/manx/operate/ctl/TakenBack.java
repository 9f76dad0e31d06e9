/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The switches on the running node that a reload would revert: its mode, canary and strategy, if
 * the file differs.
 */
final class TakenBack {
  private static final Pattern MODE = Pattern.compile("(?:^|, )plugin\\.mode (\\w+) -> (\\w+)");
  private static final Pattern CANARY = Pattern.compile("(?:^|, )plugin\\.canary .*? -> ");
  private static final Pattern STRATEGY = Pattern.compile("(?:^|, )strategy[ :]");

  private TakenBack() {}

  /**
   * Parses a node's answer.
   *
   * @param answer such as {@code checked /conf/manx.yaml: plugin.mode on -> shadow}
   * @return a short text for each; empty if there are none
   */
  static List<String> in(String answer) {
    int from = answer.indexOf(": ");
    String changes = from < 0 ? "" : answer.substring(from + 2).split("; ", 2)[0];
    List<String> taken = new ArrayList<>();
    Matcher mode = MODE.matcher(changes);
    if (mode.find()) {
      if (mode.group(1).equals("off")) {
        // A reload ends in off only if the node had rejected its file: no switch was made there.
        return List.of();
      }
      taken.add("mode " + mode.group(1) + " -> " + mode.group(2));
    }
    if (CANARY.matcher(changes).find()) {
      taken.add("canary");
    }
    if (STRATEGY.matcher(changes).find()) {
      taken.add("strategy");
    }
    return taken;
  }
}
