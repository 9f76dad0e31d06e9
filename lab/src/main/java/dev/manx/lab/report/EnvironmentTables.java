/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.SettingPrefix;
import dev.manx.lab.report.render.Table;
import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.report.render.Table.Column;
import dev.manx.workload.result.Environment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The contents of environment.json: the machine, and a simulation's cost and checks. */
final class EnvironmentTables {
  private static final String COST = "Cost of the simulation";
  private static final int MOST_SPEEDS = 13;

  private EnvironmentTables() {}

  /** The tables; empty without environment.json. */
  static List<Table> of(Optional<Environment> environment) {
    return environment.map(EnvironmentTables::of).orElse(List.of());
  }

  private static List<Table> of(Environment e) {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("date", Format.date(e.date()));
    rows.put("processor", e.cpu() + ", " + e.cores() + " cores");
    rows.put("memory", Format.gib(e.memoryBytes()));
    rows.put("system", e.os() + ", kernel " + e.kernel());
    rows.put("JVM", e.jvm());
    rows.put("revision", e.revision().isEmpty() ? Format.NONE : e.revision());
    e.settings()
        .forEach(
            (name, value) -> {
              if (!name.startsWith(SettingPrefix.SPEED) && !name.startsWith(SettingPrefix.CHECK)) {
                rows.put(name, value);
              }
            });
    List<Table> tables = new ArrayList<>(List.of(table("environment", rows)));
    Map<String, String> checks = of(e, SettingPrefix.CHECK);
    if (!checks.isEmpty()) {
      tables.add(table("checks", checks).titled("Results of the checkers"));
    }
    tables.addAll(cost(of(e, SettingPrefix.SPEED)));
    return tables;
  }

  /** Settings with a prefix, which is removed from their names. */
  private static Map<String, String> of(Environment environment, String beginning) {
    Map<String, String> some = new LinkedHashMap<>();
    environment
        .settings()
        .forEach(
            (name, value) -> {
              if (name.startsWith(beginning)) {
                some.put(name.substring(beginning.length()), value);
              }
            });
    return some;
  }

  /** Over all runs; many arms and loads are folded. */
  private static List<Table> cost(Map<String, String> speeds) {
    if (speeds.isEmpty()) {
      return List.of();
    }
    String all = SettingPrefix.ALL_RUNS;
    if (speeds.size() <= MOST_SPEEDS || !speeds.containsKey(all)) {
      return List.of(table("cost", speeds).titled(COST));
    }
    Map<String, String> each = new LinkedHashMap<>(speeds);
    Table total = table("cost", Map.of(all, each.remove(all))).titled(COST);
    return List.of(total, table("cost", each).folded("Each arm, " + each.size() + " lines"));
  }

  private static Table table(String section, Map<String, String> rows) {
    List<List<Cell>> cells = new ArrayList<>();
    rows.forEach((name, value) -> cells.add(List.of(Cell.of(name), Cell.of(value))));
    return new Table(section, List.of(Column.ofNames(""), Column.ofNames("")), cells);
  }
}
