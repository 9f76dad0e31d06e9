/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How often the experiment's goals for latency were missed: rows of metrics.csv with the metric
 * {@code slo_violation_pct} and the params {@code goal=p99;slo_ms=150}. An experiment with goals is
 * about them, so they stand beside the verdicts.
 */
final class Goals {
  /** The metric's name. */
  static final String METRIC = "slo_violation_pct";

  /**
   * One goal.
   *
   * @param percentile as the file writes it, {@code p99}
   * @param ms what it should stay below
   * @param params as in the file
   */
  record Goal(String percentile, double ms, String params) {
    /** {@code P99 beyond 150 ms}. */
    String missed() {
      return label() + " beyond " + Format.compact(ms) + " ms";
    }

    private String label() {
      String upper = percentile.toUpperCase(Locale.ROOT);
      return upper.equals("P999") ? Quantile.P999.label() : upper;
    }
  }

  private Goals() {}

  /** The goals in the order of the file; those that cannot be read are left out. */
  static List<Goal> of(ReportData data) {
    Map<String, Goal> goals = new LinkedHashMap<>();
    for (Metric metric : data.metrics()) {
      if (metric.name().equals(METRIC) && metric.requestClass().equals("all")) {
        read(metric.params()).forEach(goal -> goals.putIfAbsent(goal.params(), goal));
      }
    }
    return List.copyOf(goals.values());
  }

  /** The goal that params speak of, or nothing. */
  static List<Goal> read(String params) {
    Map<String, String> pairs = Params.of(params);
    OptionalDouble ms = Params.number(pairs, "slo_ms");
    boolean readable =
        ms.isPresent() && pairs.size() == 2 && !pairs.getOrDefault("goal", "").isEmpty();
    return readable ? List.of(new Goal(pairs.get("goal"), ms.getAsDouble(), params)) : List.of();
  }

  /** Percent of the time in which an arm missed a goal. */
  static Estimate missedPct(ReportData data, String arm, String load, Goal goal) {
    return data.metrics().stream()
        .filter(m -> m.name().equals(METRIC) && m.requestClass().equals("all"))
        .filter(m -> m.params().equals(goal.params()) && m.load().equals(load))
        .filter(m -> m.arm().equals(arm))
        .map(Metric::value)
        .findFirst()
        .orElse(Estimate.NONE);
  }

  /** An arm and the baseline at the first goal, as a sentence; empty without goals. */
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

  /** A section with a table per load; nothing without goals. */
  static String html(ReportData data) {
    List<Goal> goals = of(data);
    if (goals.isEmpty()) {
      return "";
    }
    Html html = new Html().open("section", "id", "goals").element("h2", "Goals");
    html.element(
        "p",
        "Percentage of the time in which a percentile exceeded its goal; below, the"
            + " 95\u00a0% interval of the median over rounds.",
        "class",
        "lead");
    html.open("div", "class", "scroll");
    for (String load : data.loads()) {
      html.open("table", "data-load", load).open("thead").open("tr");
      html.element("th", "arm", "class", "name");
      goals.forEach(goal -> html.element("th", goal.missed()));
      html.close("tr").close("thead").open("tbody");
      for (String arm : data.arms()) {
        html.open("tr").open("th", "class", "name");
        html.element("span", "", "class", "swatch", "data-arm", arm).text(arm).close("th");
        for (Goal goal : goals) {
          Estimate missed = missedPct(data, arm, load, goal);
          html.open("td").text(missed.exists() ? percent(missed.value()) : Format.NONE);
          if (missed.lo() < missed.hi()) {
            html.element("small", Format.compact(missed.lo()) + "–" + Format.compact(missed.hi()));
          }
          html.close("td");
        }
        html.close("tr");
      }
      html.close("tbody").close("table");
    }
    return html.close("div").close("section").toString();
  }

  /** Rows of the terminal's table at a load, the header first; empty without goals. */
  static List<List<String>> rows(ReportData data, String load) {
    List<Goal> goals = of(data);
    List<List<String>> rows = new ArrayList<>();
    if (goals.isEmpty()) {
      return rows;
    }
    List<String> header = new ArrayList<>(List.of("% of the time"));
    goals.forEach(goal -> header.add(goal.missed()));
    header.add("");
    rows.add(header);
    for (String arm : data.arms()) {
      List<String> row = new ArrayList<>(List.of(arm));
      for (Goal goal : goals) {
        Estimate missed = missedPct(data, arm, load, goal);
        String interval =
            missed.lo() < missed.hi()
                ? " (" + Format.compact(missed.lo()) + "-" + Format.compact(missed.hi()) + ")"
                : "";
        row.add(missed.exists() ? Format.compact(missed.value()) + interval : Format.NONE);
      }
      row.add("");
      rows.add(row);
    }
    return rows;
  }
}
