/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.stats.Estimate;
import dev.manx.policy.config.Units;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The table of metrics, arms in columns, and the environment. */
final class MetricsSection {
  /** Names of what the plugin itself counts begin so. */
  private static final String COUNTER = "manx_";

  private MetricsSection() {}

  /** One table per load; a line per metric, class (unless it is all) and swept parameters. */
  static String metrics(ReportData data) {
    Html html = new Html();
    for (String load : data.loads()) {
      Map<String, Map<String, Estimate>> main = new LinkedHashMap<>();
      Map<String, Map<String, Estimate>> counters = new LinkedHashMap<>();
      for (Metric metric : data.metrics()) {
        if (metric.load().equals(load)) {
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
    html.element("th", "metric", "class", "name");
    arms.forEach(arm -> html.element("th", arm));
    html.close("tr").close("thead").open("tbody");
    lines.forEach(
        (name, values) -> {
          html.open("tr").open("th", "class", "name").text(name);
          html.element("small", MetricWords.of(name)).close("th");
          for (String arm : arms) {
            Estimate value = values.getOrDefault(arm, Estimate.NONE);
            html.open("td").text(number(value.value()));
            if (value.lo() < value.hi()) {
              html.element("small", number(value.lo()) + "–" + number(value.hi()));
            }
            html.close("td");
          }
          html.close("tr");
        });
    html.close("tbody").close("table");
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

  /** What environment.json says, as a table. */
  static String environment(ReportData data) {
    Html html = new Html();
    data.environment()
        .ifPresent(
            e -> {
              Map<String, String> rows = new LinkedHashMap<>();
              rows.put("date", e.date());
              rows.put("processor", e.cpu() + ", " + e.cores() + " cores");
              rows.put("memory", Units.bytes(e.memoryBytes()));
              rows.put("system", e.os() + ", kernel " + e.kernel());
              rows.put("JVM", e.jvm());
              rows.put("revision", e.revision().isEmpty() ? Format.NONE : e.revision());
              rows.putAll(e.settings());
              html.open("table", "class", "facts").open("tbody");
              rows.forEach(
                  (name, value) ->
                      html.open("tr")
                          .element("th", name, "class", "name")
                          .element("td", value, "class", "name")
                          .close("tr"));
              html.close("tbody").close("table");
            });
    return html.toString();
  }
}
