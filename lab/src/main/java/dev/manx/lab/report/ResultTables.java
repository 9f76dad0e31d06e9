/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.report.render.Table;
import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.report.render.Table.Column;
import java.util.ArrayList;
import java.util.List;

/** The tables of latency: one per load and class, an arm in each row. */
final class ResultTables {
  private ResultTables() {}

  static List<Table> of(ReportData data) {
    List<Table> tables = new ArrayList<>();
    for (String load : data.loads()) {
      for (String requestClass : data.classes()) {
        tables.add(table(data, requestClass, load));
      }
    }
    return tables;
  }

  private static Table table(ReportData data, String requestClass, String load) {
    List<ResultColumn> all = ResultColumn.of(data);
    List<Column> columns = new ArrayList<>(List.of(Column.ofNames("arm")));
    all.forEach(column -> columns.add(Column.of(column.name())));
    List<List<Cell>> rows = new ArrayList<>();
    for (String arm : data.arms()) {
      data.result(arm, requestClass, load).ifPresent(result -> rows.add(row(data, all, result)));
    }
    return new Table("results", columns, rows).of(load, requestClass);
  }

  private static List<Cell> row(ReportData data, List<ResultColumn> columns, Result result) {
    String mark = result.arm().equals(data.baseline()) ? "baseline" : "";
    List<Cell> row = new ArrayList<>();
    row.add(Cell.ofArm(result.arm()).with(mark, result.saturated() ? "saturated" : ""));
    columns.forEach(column -> row.add(column.cell().apply(result)));
    return row;
  }
}
