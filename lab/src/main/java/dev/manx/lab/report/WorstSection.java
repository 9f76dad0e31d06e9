/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.Grid.Cell;
import dev.manx.lab.report.Grid.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Where each arm is at its worst against the best of the arms that the heat map compares with; only
 * where the experiment names such arms.
 */
final class WorstSection {
  private static final int SHOWN = 3;
  private static final List<Quantile> JUDGED = List.of(Quantile.P99, Quantile.P999);

  private WorstSection() {}

  /** A percentile of an arm in a column over the best there. */
  record Place(Column column, Quantile quantile, double ratio, boolean saturated) {}

  /** An arm with its places, the worst first. */
  record Row(String arm, List<Place> worst) {}

  /** Two tables, the arm whose worst is least bad first; nothing where nothing is asked for. */
  static String html(ReportData data) {
    if (data.about().heatArms().isEmpty()) {
      return "";
    }
    Html html = new Html();
    Grid.of(data)
        .ifPresent(
            grid -> {
              for (Quantile quantile : JUDGED) {
                table(grid, rows(grid, data, quantile), quantile, html);
              }
            });
    return html.toString();
  }

  private static void table(Grid grid, List<Row> rows, Quantile quantile, Html html) {
    html.element("h3", "Where each arm is worst: " + quantile.label());
    html.open("div", "class", "scroll").open("table", "class", "small worst").open("thead");
    html.open("tr").element("th", "arm", "class", "name");
    html.element("th", "worst").element("th", "second").element("th", "third");
    html.close("tr").close("thead").open("tbody");
    for (Row row : rows) {
      html.open("tr").element("th", row.arm(), "class", "name");
      for (Place place : row.worst()) {
        String where = grid.labels().get(grid.columns().indexOf(place.column()));
        html.open("td").text(Format.ratio(place.ratio()));
        html.element("small", where + (place.saturated() ? ", saturated" : "")).close("td");
      }
      html.close("tr");
    }
    html.close("tbody").close("table").close("div");
  }

  /** Every arm that is not compared with itself, the one whose worst is least bad first. */
  static List<Row> rows(Grid grid, ReportData data, Quantile quantile) {
    Map<Column, Double> bases = grid.best(data.heatArms(), quantile);
    List<Row> rows = new ArrayList<>();
    for (String arm : data.arms()) {
      if (data.heatArms().contains(arm)) {
        continue;
      }
      List<Place> places =
          grid.cells().stream()
              .filter(cell -> cell.arm().equals(arm) && bases.containsKey(cell.column()))
              .filter(cell -> cell.us().containsKey(quantile))
              .map(cell -> place(cell, quantile, bases.get(cell.column())))
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

  private static Place place(Cell cell, Quantile quantile, double base) {
    return new Place(cell.column(), quantile, cell.us().get(quantile) / base, cell.saturated());
  }
}
