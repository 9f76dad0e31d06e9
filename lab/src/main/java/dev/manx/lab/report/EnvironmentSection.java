/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.workload.result.Environment;
import java.util.LinkedHashMap;
import java.util.Map;

/** What environment.json says: the machine, and what a simulation cost and what checked it. */
final class EnvironmentSection {
  /** A setting of this name's beginning is a speed of the simulator, with its arm and load. */
  static final String SPEED = "speed: ";

  /** The speed over all runs. */
  static final String SPEED_OF_ALL = SPEED + "all runs";

  /** A setting of this name's beginning is a checker's word. */
  static final String CHECK = "check: ";

  private static final int MOST_SPEEDS = 13;

  private EnvironmentSection() {}

  /** The tables; nothing without environment.json. */
  static String html(ReportData data) {
    Html html = new Html();
    data.environment()
        .ifPresent(
            e -> {
              Map<String, String> rows = new LinkedHashMap<>();
              rows.put("date", Format.date(e.date()));
              rows.put("processor", e.cpu() + ", " + e.cores() + " cores");
              rows.put("memory", Format.gib(e.memoryBytes()));
              rows.put("system", e.os() + ", kernel " + e.kernel());
              rows.put("JVM", e.jvm());
              rows.put("revision", e.revision().isEmpty() ? Format.NONE : e.revision());
              e.settings()
                  .forEach(
                      (name, value) -> {
                        if (!name.startsWith(SPEED) && !name.startsWith(CHECK)) {
                          rows.put(name, value);
                        }
                      });
              table(rows, html);
              part("Results of the checkers", of(e, CHECK), html);
              cost(of(e, SPEED), html);
            });
    return html.toString();
  }

  /** Settings whose name begins so, without that beginning. */
  static Map<String, String> of(Environment environment, String beginning) {
    Map<String, String> some = new LinkedHashMap<>();
    environment
        .settings()
        .forEach(
            (name, value) -> {
              if (name.startsWith(beginning)) {
                some.put(name.substring(beginning.length()), value);
              }
            });
    return some;
  }

  /** Over all runs; many arms and loads are folded away. */
  private static void cost(Map<String, String> speeds, Html html) {
    String all = SPEED_OF_ALL.substring(SPEED.length());
    if (speeds.size() <= MOST_SPEEDS || !speeds.containsKey(all)) {
      part("Cost of the simulation", speeds, html);
      return;
    }
    Map<String, String> each = new LinkedHashMap<>(speeds);
    part("Cost of the simulation", Map.of(all, each.remove(all)), html);
    html.open("details").element("summary", "Each arm, " + each.size() + " lines");
    table(each, html);
    html.close("details");
  }

  private static void part(String title, Map<String, String> rows, Html html) {
    if (!rows.isEmpty()) {
      html.element("h3", title);
      table(rows, html);
    }
  }

  private static void table(Map<String, String> rows, Html html) {
    html.open("table", "class", "facts").open("tbody");
    rows.forEach(
        (name, value) ->
            html.open("tr")
                .element("th", name, "class", "name")
                .element("td", value, "class", "name")
                .close("tr"));
    html.close("tbody").close("table");
  }
}
