/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.render.Table;
import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.report.render.Table.Column;
import dev.manx.lab.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The numbers under the curves: a table per sweep, metric, load and class. */
final class SweepTables {
  /** The subject of a metric's table. */
  private record Key(String metric, String load, String requestClass) {}

  private SweepTables() {}

  static List<Table> of(ReportData data) {
    List<Table> tables = new ArrayList<>();
    for (int i = 0; i < data.sweeps().size(); i++) {
      Sweep sweep = data.sweeps().get(i);
      String section = "sweep " + i;
      Map<Key, List<Sweep.Line>> byKey = new LinkedHashMap<>();
      for (String metric : sweep.metrics()) {
        for (Sweep.Line line : sweep.lines()) {
          if (line.metric().equals(metric)) {
            byKey
                .computeIfAbsent(
                    new Key(metric, line.load(), line.requestClass()), k -> new ArrayList<>())
                .add(line);
          }
        }
      }
      byKey.forEach((key, lines) -> tables.add(table(section, sweep, key, lines, data.ends())));
    }
    return tables;
  }

  /** One metric, arms in rows, values of the parameter in columns if any arm has a point there. */
  private static Table table(
      String section, Sweep sweep, Key key, List<Sweep.Line> lines, Ends ends) {
    List<String> labels =
        sweep.scale().labels().stream()
            .filter(label -> lines.stream().anyMatch(line -> line.points().containsKey(label)))
            .toList();
    List<Column> columns = new ArrayList<>(List.of(Column.ofNames(key.metric())));
    labels.forEach(label -> columns.add(Column.of(label)));
    List<List<Cell>> rows = new ArrayList<>();
    for (Sweep.Line line : lines) {
      List<Cell> row = new ArrayList<>(List.of(Cell.of(line.arm())));
      labels.forEach(
          label ->
              row.add(
                  Format.cell(
                          line.points().getOrDefault(label, Estimate.NONE), Format::number, ends)
                      .with("", line.marks().getOrDefault(label, PointMarks.NONE).words())));
      rows.add(row);
    }
    return new Table(section, columns, rows).of(key.load(), key.requestClass());
  }
}
