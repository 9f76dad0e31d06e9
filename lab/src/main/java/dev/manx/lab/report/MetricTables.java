/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.experiment.Params;
import dev.manx.lab.experiment.Pooling;
import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.report.render.Table;
import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.report.render.Table.Column;
import dev.manx.lab.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tables of metrics. */
final class MetricTables {
  private static final String SECTION = "metrics";

  /** With more arms than these, arms are rows. */
  private static final int MOST_COLUMNS = 8;

  private static final int MOST_VALUES = 6;

  /** The loads that the experiment has only at some points. */
  private static final String OTHERS = "";

  /**
   * The metric of a line of tables.
   *
   * @param label its name, with its class, parameters and load where they matter
   * @param words its meaning; empty if unknown
   */
  private record Line(String label, String words) {
    /**
     * The line of a metric.
     *
     * @param load empty if the table is of one load
     */
    static Line of(Metric metric, String load) {
      List<String> parts = new ArrayList<>(List.of(metric.name()));
      if (!metric.requestClass().equals("all")) {
        parts.add(metric.requestClass());
      }
      parts.addAll(List.of(metric.params(), load));
      parts.removeIf(String::isEmpty);
      // The words for latencies describe timelines, where each value covers a second.
      boolean latency = LatencyStatistic.ofMetric(metric.name()).isPresent();
      return new Line(String.join(" · ", parts), latency ? "" : MetricWords.of(metric.name()));
    }
  }

  private final List<String> arms;
  private final Ends ends;

  private MetricTables(ReportData data) {
    arms = data.arms();
    ends = data.ends();
  }

  /**
   * One table per load, and one of all others, which is always shown; a line per metric, class
   * (unless it is all), parameters and other load. Metrics drawn over a parameter have their
   * numbers with the chart; metrics of one of many entities are folded.
   */
  static List<Table> of(ReportData data) {
    MetricTables all = new MetricTables(data);
    List<Table> tables = new ArrayList<>();
    Set<String> many = ofMany(data.metrics());
    List<String> loads = new ArrayList<>(data.loads());
    loads.add(OTHERS);
    for (String load : loads) {
      Map<String, Map<Line, Map<String, Estimate>>> parts = new LinkedHashMap<>();
      for (Metric metric : data.metrics()) {
        Map<String, String> params = Params.of(metric.params());
        String switched = data.loads().contains(metric.load()) ? metric.load() : OTHERS;
        if (switched.equals(load)
            && data.sweeps().stream().noneMatch(sweep -> sweep.draws(params))) {
          parts
              .computeIfAbsent(part(metric, params.keySet(), many), k -> new LinkedHashMap<>())
              .computeIfAbsent(
                  Line.of(metric, load.equals(OTHERS) ? metric.load() : ""),
                  k -> new LinkedHashMap<>())
              .put(metric.arm(), metric.value());
        }
      }
      Map<Line, Map<String, Estimate>> main = parts.remove("");
      if (main != null) {
        tables.add(all.table(main).of(load, ""));
      }
      parts.forEach((summary, lines) -> tables.add(all.table(lines).folded(summary).of(load, "")));
    }
    return tables;
  }

  /** The heading under which a metric is folded; empty if it is always shown. */
  private static String part(Metric metric, Set<String> params, Set<String> many) {
    if (metric.name().startsWith(Pooling.COUNTER)) {
      return "Counters of the plugin";
    }
    return params.stream()
        .filter(many::contains)
        .findFirst()
        .map(name -> "Of each " + name)
        .orElse("");
  }

  /** Parameters with too many values to show at first. */
  private static Set<String> ofMany(List<Metric> metrics) {
    Map<String, Set<String>> values = new LinkedHashMap<>();
    for (Metric metric : metrics) {
      Params.of(metric.params())
          .forEach(
              (name, value) -> values.computeIfAbsent(name, k -> new LinkedHashSet<>()).add(value));
    }
    values.values().removeIf(some -> some.size() <= MOST_VALUES);
    return values.keySet();
  }

  private Table table(Map<Line, Map<String, Estimate>> lines) {
    return arms.size() > MOST_COLUMNS ? armsInRows(lines) : armsInColumns(lines);
  }

  private Table armsInColumns(Map<Line, Map<String, Estimate>> lines) {
    List<Column> columns = new ArrayList<>(List.of(Column.ofNames("metric")));
    arms.forEach(arm -> columns.add(Column.of(arm)));
    List<List<Cell>> rows = new ArrayList<>();
    lines.forEach(
        (line, values) -> {
          List<Cell> row = new ArrayList<>(List.of(Cell.of(line.label(), line.words())));
          arms.forEach(arm -> row.add(cell(values, arm)));
          rows.add(row);
        });
    return new Table(SECTION, columns, rows);
  }

  private Table armsInRows(Map<Line, Map<String, Estimate>> lines) {
    List<Column> columns = new ArrayList<>(List.of(Column.ofNames("arm")));
    // Long names may wrap between words; otherwise few columns would fit.
    lines
        .keySet()
        .forEach(
            line -> columns.add(Column.ofLongName(line.label().replace('_', ' '), line.words())));
    List<List<Cell>> rows = new ArrayList<>();
    for (String arm : arms) {
      if (lines.values().stream().anyMatch(values -> values.containsKey(arm))) {
        List<Cell> row = new ArrayList<>(List.of(Cell.of(arm)));
        lines.values().forEach(values -> row.add(cell(values, arm)));
        rows.add(row);
      }
    }
    return new Table(SECTION, columns, rows);
  }

  private Cell cell(Map<String, Estimate> values, String arm) {
    return Format.cell(values.getOrDefault(arm, Estimate.NONE), MetricTables::number, ends);
  }

  private static String number(double value) {
    boolean whole = value == Math.rint(value) || Math.abs(value) >= 1_000;
    return whole && Math.abs(value) < Long.MAX_VALUE
        ? Format.count(Math.round(value))
        : Format.compact(value);
  }
}
