/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.operate.check.Finding.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The findings of a check, in the order of its steps. */
final class Findings {
  private final List<Finding> all = new ArrayList<>();

  void ok(String where, String text) {
    all.add(new Finding(Level.OK, where, text, ""));
  }

  void warning(String where, String text, String todo) {
    all.add(new Finding(Level.WARNING, where, text, todo));
  }

  void error(String where, String text, String todo) {
    all.add(new Finding(Level.ERROR, where, text, todo));
  }

  List<Finding> all() {
    return List.copyOf(all);
  }

  int count(Level level) {
    return (int) all.stream().filter(finding -> finding.level() == level).count();
  }

  /** Human-readable: a line for each finding, followed by its action. */
  String text() {
    StringBuilder out = new StringBuilder();
    for (Finding finding : all) {
      String level = finding.level().name().toLowerCase(Locale.ROOT);
      out.append(String.format("%-8s %s: %s%n", level, finding.where(), finding.text()));
      if (!finding.todo().isEmpty()) {
        out.append(String.format("         -> %s%n", finding.todo()));
      }
    }
    int errors = count(Level.ERROR);
    int warnings = count(Level.WARNING);
    return out
        + (errors + warnings == 0
            ? "All is well."
            : (errors == 1 ? "1 error, " : errors + " errors, ")
                + (warnings == 1 ? "1 warning." : warnings + " warnings."));
  }

  /** Machine-readable. */
  List<Map<String, String>> rows() {
    return all.stream()
        .map(
            finding -> {
              Map<String, String> row = new LinkedHashMap<>();
              row.put("level", finding.level().name().toLowerCase(Locale.ROOT));
              row.put("where", finding.where());
              row.put("text", finding.text());
              row.put("todo", finding.todo());
              return row;
            })
        .toList();
  }
}
