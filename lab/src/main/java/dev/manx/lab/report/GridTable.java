/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.experiment.Params;
import dev.manx.lab.report.Grid.Column;
import dev.manx.lab.report.render.Table;
import dev.manx.lab.report.render.Table.Cell;
import java.util.ArrayList;
import java.util.List;

/** The table of every arm at every load and point; the page sorts it by any column. */
final class GridTable {
  private static final double US_PER_MS = 1e3;

  private GridTable() {}

  static Table of(Grid grid, String baseline) {
    boolean points = grid.columns().stream().anyMatch(column -> !column.point().isEmpty());
    List<Table.Column> columns = new ArrayList<>(List.of(Table.Column.ofNames("arm")));
    if (points) {
      columns.add(Table.Column.ofNames("point"));
    }
    columns.add(Table.Column.of(Table.LOAD));
    LatencyStatistic.COMPARED.forEach(q -> columns.add(Table.Column.of(q.label() + " ms")));
    columns.add(Table.Column.of("P99 / " + baseline));
    columns.add(Table.Column.of("answered /s"));
    columns.add(Table.Column.of("utilisation"));
    Scale loads = Scale.of(grid.columns().stream().map(Column::load).distinct().toList());
    List<List<Cell>> rows =
        grid.cells().stream().map(cell -> row(grid, cell, points, loads, baseline)).toList();
    return new Table("grid", columns, rows);
  }

  private static List<Cell> row(
      Grid grid, Grid.Cell cell, boolean points, Scale loads, String baseline) {
    List<Cell> row = new ArrayList<>();
    row.add(Cell.of(cell.arm()).with("", cell.marks().words()));
    Column column = cell.column();
    if (points) {
      String point = column.point();
      row.add(Cell.of(point.isEmpty() ? Sweeps.AS_IN_THE_FILE : Params.shortly(point)));
    }
    row.add(Cell.of(column.load(), loads.positions().get(column.load())));
    for (LatencyStatistic quantile : LatencyStatistic.COMPARED) {
      double us = cell.us().getOrDefault(quantile, Double.NaN);
      row.add(Cell.of(Format.ms(us), us / US_PER_MS));
    }
    double ratio = ratio(grid, cell, baseline);
    row.add(Cell.of(Format.ratio(ratio), ratio));
    row.add(Cell.of(Format.number(cell.throughput()), cell.throughput()));
    row.add(Cell.of(Format.percent(cell.utilisation()), cell.utilisation()));
    return row;
  }

  private static double ratio(Grid grid, Grid.Cell cell, String baseline) {
    double own = cell.us().getOrDefault(LatencyStatistic.P99, Double.NaN);
    return grid.cell(baseline, cell.column())
        .filter(base -> base.marks().isReference())
        .map(base -> own / base.us().getOrDefault(LatencyStatistic.P99, Double.NaN))
        .orElse(Double.NaN);
  }
}
