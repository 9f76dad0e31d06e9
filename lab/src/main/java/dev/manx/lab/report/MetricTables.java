/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

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

  /** Prefix of the plugin's counters. */
  private static final String COUNTER = "manx_";

  /** With more arms than these, arms are rows. */
  private static final int MOST_COLUMNS = 8;

  private static final int MOST_VALUES = 6;

  /** The loads that the experiment has only at some points. */
  private static final String OTHERS = "";

  private MetricTables() {}

  /**
   * One table per load, and one of all others, which is always shown; a line per metric, class
   * (unless it is all), parameters and other load. Metrics drawn over a parameter have their
   * numbers with the chart; metrics of one of many entities are folded.
   */
  static List<Table> of(ReportData data) {
    List<Table> tables = new ArrayList<>();
    Set<String> many = ofMany(data.metrics());
    List<String> loads = new ArrayList<>(data.loads());
    loads.add(OTHERS);
    for (String load : loads) {
      Map<String, Map<String, Map<String, Estimate>>> parts = new LinkedHashMap<>();
      for (Metric metric : data.metrics()) {
        Map<String, String> params = Params.of(metric.params());
        String switched = data.loads().contains(metric.load()) ? metric.load() : OTHERS;
        if (switched.equals(load)
            && data.sweeps().stream().noneMatch(sweep -> sweep.draws(params))) {
          parts
              .computeIfAbsent(part(metric, params.keySet(), many), k -> new LinkedHashMap<>())
              .computeIfAbsent(
                  name(metric) + (load.equals(OTHERS) ? " · " + metric.load() : ""),
                  k -> new LinkedHashMap<>())
              .put(metric.arm(), metric.value());
        }
      }
      Map<String, Map<String, Estimate>> main = parts.remove("");
      if (main != null) {
        tables.add(table(data.arms(), main).of(load, ""));
      }
      parts.forEach(
          (summary, lines) -> tables.add(table(data.arms(), lines).folded(summary).of(load, "")));
    }
    return tables;
  }

  /** The heading under which a metric is folded; empty if it is always shown. */
  private static String part(Metric metric, Set<String> params, Set<String> many) {
    if (metric.name().startsWith(COUNTER)) {
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

  private static Table table(List<String> arms, Map<String, Map<String, Estimate>> lines) {
    return arms.size() > MOST_COLUMNS ? armsInRows(arms, lines) : armsInColumns(arms, lines);
  }

  private static Table armsInColumns(List<String> arms, Map<String, Map<String, Estimate>> lines) {
    List<Column> columns = new ArrayList<>(List.of(Column.ofNames("metric")));
    arms.forEach(arm -> columns.add(Column.of(arm)));
    List<List<Cell>> rows = new ArrayList<>();
    lines.forEach(
        (name, values) -> {
          List<Cell> row = new ArrayList<>(List.of(Cell.of(name, MetricWords.of(name))));
          arms.forEach(arm -> row.add(cell(values, arm)));
          rows.add(row);
        });
    return new Table(SECTION, columns, rows);
  }

  private static Table armsInRows(List<String> arms, Map<String, Map<String, Estimate>> lines) {
    List<Column> columns = new ArrayList<>(List.of(Column.ofNames("arm")));
    // Long names may wrap between words; otherwise few columns would fit.
    lines.keySet().forEach(name -> columns.add(Column.ofLongName(name.replace('_', ' '))));
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

  private static Cell cell(Map<String, Estimate> values, String arm) {
    return Format.cell(values.getOrDefault(arm, Estimate.NONE), MetricTables::number);
  }

  private static String name(Metric metric) {
    StringBuilder name = new StringBuilder(metric.name());
    if (!metric.requestClass().equals("all")) {
      name.append(" · ").append(metric.requestClass());
    }
    return (metric.params().isEmpty() ? name : name.append(" · ").append(metric.params()))
        .toString();
  }

  private static String number(double value) {
    boolean whole = value == Math.rint(value) || Math.abs(value) >= 1_000;
    return whole && Math.abs(value) < Long.MAX_VALUE
        ? Format.count(Math.round(value))
        : Format.compact(value);
  }
}
