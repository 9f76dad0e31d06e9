/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The tables of metrics. */
final class MetricsSection {
  /** Names of what the plugin itself counts begin so. */
  private static final String COUNTER = "manx_";

  /** With more arms than these they stand in rows. */
  private static final int MOST_COLUMNS = 8;

  private MetricsSection() {}

  /**
   * One table per load; a line per metric, class (unless it is all) and parameters. What is drawn
   * over a parameter has its numbers there.
   */
  static String metrics(ReportData data) {
    Html html = new Html();
    Set<String> swept = data.sweeps().stream().map(Sweep::parameter).collect(Collectors.toSet());
    for (String load : data.loads()) {
      Map<String, Map<String, Estimate>> main = new LinkedHashMap<>();
      Map<String, Map<String, Estimate>> counters = new LinkedHashMap<>();
      for (Metric metric : data.metrics()) {
        boolean drawn = Params.of(metric.params()).keySet().stream().anyMatch(swept::contains);
        if (metric.load().equals(load) && !drawn) {
          (metric.name().startsWith(COUNTER) ? counters : main)
              .computeIfAbsent(name(metric), k -> new LinkedHashMap<>())
              .put(metric.arm(), metric.value());
        }
      }
      if (!main.isEmpty()) {
        table(data.arms(), load, main, html);
      }
      if (!counters.isEmpty()) {
        html.open("details", "data-load", load).element("summary", "Counters of the plugin");
        table(data.arms(), load, counters, html);
        html.close("details");
      }
    }
    return html.toString();
  }

  private static void table(
      List<String> arms, String load, Map<String, Map<String, Estimate>> lines, Html html) {
    html.open("table", "data-load", load).open("thead").open("tr");
    if (arms.size() > MOST_COLUMNS) {
      armsInRows(arms, lines, html);
    } else {
      armsInColumns(arms, lines, html);
    }
    html.close("tbody").close("table");
  }

  private static void armsInColumns(
      List<String> arms, Map<String, Map<String, Estimate>> lines, Html html) {
    html.element("th", "metric", "class", "name");
    arms.forEach(arm -> html.element("th", arm));
    html.close("tr").close("thead").open("tbody");
    lines.forEach(
        (name, values) -> {
          html.open("tr").open("th", "class", "name").text(name);
          html.element("small", MetricWords.of(name)).close("th");
          arms.forEach(arm -> number(values.getOrDefault(arm, Estimate.NONE), html));
          html.close("tr");
        });
  }

  private static void armsInRows(
      List<String> arms, Map<String, Map<String, Estimate>> lines, Html html) {
    html.element("th", "arm", "class", "name");
    // Long names may break at their words, or few columns would fit.
    lines.keySet().forEach(name -> html.element("th", name.replace('_', ' '), "class", "words"));
    html.close("tr").close("thead").open("tbody");
    Set<String> measured = new LinkedHashSet<>(arms);
    List<Map<String, Estimate>> columns = new ArrayList<>(lines.values());
    measured.removeIf(arm -> columns.stream().noneMatch(values -> values.containsKey(arm)));
    for (String arm : measured) {
      html.open("tr").element("th", arm, "class", "name");
      columns.forEach(values -> number(values.getOrDefault(arm, Estimate.NONE), html));
      html.close("tr");
    }
  }

  private static void number(Estimate value, Html html) {
    html.open("td").text(number(value.value()));
    if (value.lo() < value.hi()) {
      html.element("small", number(value.lo()) + "–" + number(value.hi()));
    }
    html.close("td");
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
