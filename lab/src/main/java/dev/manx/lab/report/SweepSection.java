/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Curves over loads and swept parameters: places for the charts, and the numbers under them. */
final class SweepSection {
  private SweepSection() {}

  /** A part for each sweep; the page fills in the charts. Nothing where nothing is swept. */
  static String html(ReportData data) {
    Html html = new Html();
    for (int i = 0; i < data.sweeps().size(); i++) {
      Sweep sweep = data.sweeps().get(i);
      html.open("div", "class", "sweep", "data-sweep", Integer.toString(i));
      html.element("h3", "over " + sweep.title(data.about().kind().loadWord()));
      html.open("div", "class", "legend").close("div");
      html.open("div", "class", "panels").close("div");
      html.open("details").element("summary", "The numbers");
      numbers(sweep, html);
      html.close("details").close("div");
    }
    return html.toString();
  }

  private static void numbers(Sweep sweep, Html html) {
    Map<List<String>, List<Sweep.Line>> tables = new LinkedHashMap<>();
    for (String metric : sweep.metrics()) {
      for (Sweep.Line line : sweep.lines()) {
        if (line.metric().equals(metric)) {
          tables
              .computeIfAbsent(
                  List.of(metric, line.load(), line.requestClass()), k -> new ArrayList<>())
              .add(line);
        }
      }
    }
    tables.forEach((key, lines) -> table(sweep, key, lines, html));
  }

  /** One metric, arms in rows, values of the parameter in columns. */
  private static void table(Sweep sweep, List<String> key, List<Sweep.Line> lines, Html html) {
    List<String> labels = sweep.scale().labels();
    List<String> attributes = new ArrayList<>(List.of("class", "scroll", "data-class", key.get(2)));
    if (!key.get(1).isEmpty()) {
      attributes.addAll(List.of("data-load", key.get(1)));
    }
    html.open("div", attributes.toArray(String[]::new));
    html.open("table", "class", "small").open("thead").open("tr");
    html.element("th", key.get(0), "class", "name");
    labels.forEach(label -> html.element("th", label));
    html.close("tr").close("thead").open("tbody");
    for (Sweep.Line line : lines) {
      html.open("tr").element("th", line.arm(), "class", "name");
      for (String label : labels) {
        Estimate value = line.points().getOrDefault(label, Estimate.NONE);
        html.open("td").text(Format.number(value.value()));
        if (value.lo() < value.hi()) {
          html.element("small", Format.number(value.lo()) + "–" + Format.number(value.hi()));
        }
        html.close("td");
      }
      html.close("tr");
    }
    html.close("tbody").close("table").close("div");
  }
}
