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

  private static final int MOST_VALUES = 6;

  private MetricsSection() {}

  /**
   * One table per load; a line per metric, class (unless it is all) and parameters. What is drawn
   * over a parameter has its numbers there; what is of one of many things is folded.
   */
  static String metrics(ReportData data) {
    Html html = new Html();
    Set<String> swept = data.sweeps().stream().map(Sweep::parameter).collect(Collectors.toSet());
    Set<String> many = ofMany(data.metrics());
    for (String load : data.loads()) {
      Map<String, Map<String, Map<String, Estimate>>> parts = new LinkedHashMap<>();
      for (Metric metric : data.metrics()) {
        Set<String> names = Params.of(metric.params()).keySet();
        if (metric.load().equals(load) && names.stream().noneMatch(swept::contains)) {
          parts
              .computeIfAbsent(part(metric, names, many), k -> new LinkedHashMap<>())
              .computeIfAbsent(name(metric), k -> new LinkedHashMap<>())
              .put(metric.arm(), metric.value());
        }
      }
      Map<String, Map<String, Estimate>> main = parts.remove("");
      if (main != null) {
        table(data.arms(), load, main, html);
      }
      parts.forEach(
          (summary, lines) -> {
            html.open("details", "data-load", load).element("summary", summary);
            table(data.arms(), load, lines, html);
            html.close("details");
          });
    }
    return html.toString();
  }

  /** The heading under which a metric is folded; empty for what everybody should see. */
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

  /** Parameters with more values than a reader wants to see at first. */
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
