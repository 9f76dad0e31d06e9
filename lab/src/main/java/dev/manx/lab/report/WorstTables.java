/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.report.render.Table;
import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.report.render.Table.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The worst results of each arm relative to the best of the heat map's reference arms; only if the
 * experiment names such arms.
 */
final class WorstTables {
  private static final int SHOWN = 3;
  private static final List<LatencyStatistic> JUDGED =
      List.of(LatencyStatistic.P99, LatencyStatistic.P999);

  private WorstTables() {}

  /** A cell's percentile relative to the best in its column. */
  record Place(Grid.Cell cell, double ratio) {}

  /** An arm with its columns, the worst first. */
  record Row(String arm, List<Place> worst) {}

  /**
   * Two tables, sorted by each arm's worst result, the best first; empty without reference arms.
   */
  static List<Table> of(Optional<Grid> grid, ReportData data) {
    return data.about().heatArms().isEmpty()
        ? List.of()
        : grid.stream()
            .flatMap(found -> JUDGED.stream().map(quantile -> table(found, data, quantile)))
            .toList();
  }

  private static Table table(Grid grid, ReportData data, LatencyStatistic quantile) {
    List<Column> columns =
        List.of(Column.ofNames("arm"), Column.of("worst"), Column.of("second"), Column.of("third"));
    List<List<Cell>> rows = new ArrayList<>();
    for (Row row : rows(grid, data, quantile)) {
      List<Cell> cells = new ArrayList<>(List.of(Cell.of(row.arm())));
      for (Place place : row.worst()) {
        String where = grid.labels().get(grid.columns().indexOf(place.cell().column()));
        String marks = place.cell().marks().words();
        cells.add(
            Cell.of(Format.ratio(place.ratio()), marks.isEmpty() ? where : where + ", " + marks));
      }
      rows.add(cells);
    }
    return new Table("worst", columns, rows).titled("Where each arm is worst: " + quantile.label());
  }

  /** Every arm except the references, sorted by its worst result, the best first. */
  static List<Row> rows(Grid grid, ReportData data, LatencyStatistic quantile) {
    Map<Grid.Column, Grid.Cell> bases = grid.best(data.heatArms(), quantile);
    List<Row> rows = new ArrayList<>();
    for (String arm : data.arms()) {
      if (data.heatArms().contains(arm)) {
        continue;
      }
      List<Place> places =
          grid.cells().stream()
              .filter(cell -> cell.arm().equals(arm) && bases.containsKey(cell.column()))
              .filter(cell -> cell.us().containsKey(quantile))
              .map(
                  cell -> {
                    double base = bases.get(cell.column()).us().get(quantile);
                    return new Place(cell, cell.us().get(quantile) / base);
                  })
              .sorted(Comparator.comparingDouble(Place::ratio).reversed())
              .limit(SHOWN)
              .toList();
      if (!places.isEmpty()) {
        rows.add(new Row(arm, places));
      }
    }
    rows.sort(Comparator.comparingDouble(row -> row.worst().get(0).ratio()));
    return rows;
  }
}
