/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Params;
import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.report.MetricIndex.Place;
import dev.manx.lab.report.ReportData.Result;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every arm at every load and point of a sweep, all requests: the heat map and the big table.
 *
 * @param columns in the order of the files
 * @param cells one per measured arm and column
 */
record Grid(List<Column> columns, List<Cell> cells) {
  /** With fewer arms or columns the other charts suffice. */
  private static final int FEWEST_ARMS = 5;

  private static final int FEWEST_COLUMNS = 2;
  private static final String P99 = LatencyStatistic.P99.metric();

  /**
   * The conditions under which all arms were measured.
   *
   * @param point params of the sweep's point; empty for the experiment without changes
   */
  record Column(String point, String load) {}

  /** Column headings for users, without their common parts. */
  List<String> labels() {
    boolean oneLoad = columns.stream().map(Column::load).distinct().count() == 1;
    List<String> labels = new ArrayList<>();
    for (Column column : columns) {
      String point = Params.shortly(column.point());
      if (point.isEmpty() && oneLoad) {
        labels.add(Sweeps.AS_IN_THE_FILE);
      } else if (point.isEmpty()) {
        labels.add(column.load());
      } else {
        labels.add(oneLoad ? point : column.load() + " " + point);
      }
    }
    return labels;
  }

  /**
   * One arm in a column.
   *
   * @param us percentiles, microseconds; unmeasured ones are missing
   * @param throughput answered per second, NaN if unknown
   * @param utilisation 0..1, NaN if unknown
   * @param marks of its latency
   */
  record Cell(
      String arm,
      Column column,
      Map<LatencyStatistic, Double> us,
      double throughput,
      double utilisation,
      PointMarks marks) {}

  /** The grid of a result, if it has enough arms and columns. */
  static Optional<Grid> of(ReportData data) {
    Map<Column, Map<String, Cell>> all = new LinkedHashMap<>();
    for (String load : data.loads()) {
      Map<String, Cell> column = all.computeIfAbsent(new Column("", load), k -> arms());
      for (String arm : data.arms()) {
        data.result(arm, "all", load)
            .ifPresent(result -> column.put(arm, cell(result, new Column("", load))));
      }
    }
    for (Place place : data.index().places()) {
      if (!place.params().isEmpty() && place.requestClass().equals("all")) {
        Column column = new Column(place.params(), place.load());
        Map<String, Cell> byArm = all.computeIfAbsent(column, k -> arms());
        if (data.index().value(place, P99).isPresent()) {
          byArm.put(place.arm(), cell(data.index(), place, column));
        }
      }
    }
    // If the classes are cases, none covers all requests; not every point has latencies.
    all.values().removeIf(Map::isEmpty);
    List<Cell> cells = new ArrayList<>();
    all.values().forEach(column -> cells.addAll(column.values()));
    return data.arms().size() < FEWEST_ARMS || all.size() < FEWEST_COLUMNS
        ? Optional.empty()
        : Optional.of(new Grid(List.copyOf(all.keySet()), List.copyOf(cells)));
  }

  private static Map<String, Cell> arms() {
    return new LinkedHashMap<>();
  }

  private static Cell cell(Result result, Column column) {
    Map<LatencyStatistic, Double> us = new EnumMap<>(LatencyStatistic.class);
    result
        .latencies()
        .forEach(
            (quantile, value) -> {
              if (value.exists()) {
                us.put(quantile, value.value());
              }
            });
    return new Cell(
        result.arm(),
        column,
        us,
        result.throughput().value(),
        result.utilisation(),
        PointMarks.of(result));
  }

  private static Cell cell(MetricIndex metrics, Place place, Column column) {
    Map<LatencyStatistic, Double> us = new EnumMap<>(LatencyStatistic.class);
    for (LatencyStatistic quantile : LatencyStatistic.COMPARED) {
      metrics.value(place, quantile.metric()).ifPresent(value -> us.put(quantile, value));
    }
    return new Cell(
        place.arm(),
        column,
        us,
        metrics.value(place, Measured.THROUGHPUT).orElse(Double.NaN),
        metrics.value(place, Saturation.UTILISATION).orElse(Double.NaN) / 100,
        metrics.marks(place));
  }

  /**
   * The cell with the lowest percentile among some arms, in each column where one of them was
   * measured, not saturated and not failing.
   */
  Map<Column, Cell> best(List<String> arms, LatencyStatistic quantile) {
    Map<Column, Cell> best = new LinkedHashMap<>();
    for (Cell cell : cells) {
      if (arms.contains(cell.arm())
          && cell.marks().isReference()
          && cell.us().containsKey(quantile)) {
        best.merge(
            cell.column(),
            cell,
            (one, other) -> other.us().get(quantile) < one.us().get(quantile) ? other : one);
      }
    }
    return best;
  }

  /** An arm's cell, if measured. */
  Optional<Cell> cell(String arm, Column column) {
    return cells.stream()
        .filter(cell -> cell.arm().equals(arm) && cell.column().equals(column))
        .findFirst();
  }
}
