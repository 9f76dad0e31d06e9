/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.Params;
import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.report.render.Table;
import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.report.render.Table.Column;
import dev.manx.lab.stats.Estimate;
import dev.manx.simulator.cache.Slo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The frequency of missed latency goals: rows of metrics.csv with the metric {@link Slo#MISSED}.
 * They are shown next to the verdicts, because an experiment with goals is about them.
 */
final class GoalMisses {
  /**
   * One goal.
   *
   * @param percentile as in the file, {@code p99}
   * @param ms upper limit in milliseconds
   * @param params as in the file
   */
  record Goal(String percentile, double ms, String params) {
    /** {@code P99 beyond 150 ms}. */
    String missed() {
      return percentile.toUpperCase(Locale.ROOT) + " beyond " + Format.compact(ms) + " ms";
    }
  }

  private GoalMisses() {}

  /** The goals in the order of the file; unreadable ones are left out. */
  static List<Goal> of(ReportData data) {
    Map<String, Goal> goals = new LinkedHashMap<>();
    for (Metric metric : data.metrics()) {
      if (metric.name().equals(Slo.MISSED) && metric.requestClass().equals("all")) {
        read(metric.params()).forEach(goal -> goals.putIfAbsent(goal.params(), goal));
      }
    }
    return List.copyOf(goals.values());
  }

  /** The goal in params, or empty. */
  static List<Goal> read(String params) {
    Map<String, String> pairs = Params.of(params);
    OptionalDouble ms = Params.number(pairs, Slo.LIMIT_MS);
    boolean readable =
        ms.isPresent() && pairs.size() == 2 && !pairs.getOrDefault(Slo.GOAL, "").isEmpty();
    return readable ? List.of(new Goal(pairs.get(Slo.GOAL), ms.getAsDouble(), params)) : List.of();
  }

  /** Percentage of the time in which an arm missed a goal. */
  static Estimate missedPct(ReportData data, String arm, String load, Goal goal) {
    return data.metric(Slo.MISSED, arm, "all", load, goal.params());
  }

  /** A sentence on an arm and the baseline at the first goal; empty without goals. */
  static String sentence(ReportData data, String arm, String load) {
    for (Goal goal : of(data)) {
      Estimate own = missedPct(data, arm, load, goal);
      Estimate base = missedPct(data, data.baseline(), load, goal);
      if (own.exists() && base.exists()) {
        return goal.missed()
            + " for "
            + percent(own.value())
            + " of the time; "
            + data.baseline()
            + ": "
            + percent(base.value())
            + ".";
      }
    }
    return "";
  }

  private static String percent(double percent) {
    return Format.number(percent) + "\u00a0%";
  }

  /** A table per load; empty without goals. */
  static List<Table> tables(ReportData data) {
    List<Goal> goals = of(data);
    if (goals.isEmpty()) {
      return List.of();
    }
    List<Column> columns = new ArrayList<>(List.of(Column.ofNames("% of the time")));
    goals.forEach(goal -> columns.add(Column.of(goal.missed())));
    List<Table> tables = new ArrayList<>();
    for (String load : data.loads()) {
      List<List<Cell>> rows = new ArrayList<>();
      for (String arm : data.arms()) {
        List<Cell> row = new ArrayList<>(List.of(Cell.ofArm(arm)));
        for (Goal goal : goals) {
          row.add(Format.cell(missedPct(data, arm, load, goal), Format::compact, data.ends()));
        }
        rows.add(row);
      }
      tables.add(new Table("goals", columns, rows).of(load, ""));
    }
    return tables;
  }
}
