/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.Grid.Cell;
import java.util.List;
import java.util.Optional;

/** The table of every arm at every load and point; the page sorts it by any column. */
final class GridSection {
  private GridSection() {}

  /** The table, or nothing where there is no grid. */
  static String table(ReportData data) {
    Optional<Grid> found = Grid.of(data);
    if (found.isEmpty()) {
      return "";
    }
    Grid grid = found.get();
    boolean points = grid.columns().stream().anyMatch(column -> !column.point().isEmpty());
    Html html = new Html().open("table", "class", "sortable", "id", "grid-table");
    html.open("thead").open("tr");
    html.element("th", "arm", "class", "name");
    if (points) {
      html.element("th", "point", "class", "name");
    }
    html.element("th", "load");
    Quantile.ALL.forEach(quantile -> html.element("th", quantile.label() + " ms"));
    html.element("th", "P99 / " + data.baseline());
    html.element("th", "answered /s").element("th", "utilisation");
    html.close("tr").close("thead").open("tbody");
    for (Cell cell : grid.cells()) {
      row(data, grid, cell, points, html);
    }
    return html.close("tbody").close("table").toString();
  }

  private static void row(ReportData data, Grid grid, Cell cell, boolean points, Html html) {
    html.open("tr").open("th", "class", "name").text(cell.arm());
    if (cell.saturated()) {
      html.element("span", "saturated", "class", "mark bad");
    }
    html.close("th");
    String point = cell.column().point();
    if (points) {
      html.element(
          "td", point.isEmpty() ? Sweeps.AS_IN_THE_FILE : Params.shortly(point), "class", "name");
    }
    List<String> loads = List.of(cell.column().load());
    number(html, cell.column().load(), Scale.of(loads).positions().get(cell.column().load()));
    for (Quantile quantile : Quantile.ALL) {
      double us = cell.us().getOrDefault(quantile, Double.NaN);
      number(html, Format.ms(us), us);
    }
    double ratio = ratio(grid, cell, data.baseline());
    number(html, Format.ratio(ratio), ratio);
    number(html, Format.number(cell.throughput()), cell.throughput());
    number(html, Format.percent(cell.utilisation()), cell.utilisation());
    html.close("tr");
  }

  private static double ratio(Grid grid, Cell cell, String baseline) {
    double own = cell.us().getOrDefault(Quantile.P99, Double.NaN);
    return grid.cell(baseline, cell.column())
        .map(base -> own / base.us().getOrDefault(Quantile.P99, Double.NaN))
        .orElse(Double.NaN);
  }

  private static void number(Html html, String text, double value) {
    html.element("td", text, "data-value", Double.isNaN(value) ? "" : Double.toString(value));
  }
}
