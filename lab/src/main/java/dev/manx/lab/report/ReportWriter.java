/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The page {@code report.html}: one file that opens from disk, without a network, now and in ten
 * years. Stateless; any thread.
 */
final class ReportWriter {
  /* What comes from files is escaped where it enters the page. A content security policy stands
   * behind that: only the page's own scripts run, and nothing can be fetched from anywhere. */

  /** The page's name in a result directory. */
  static final String FILE_NAME = "report.html";

  private static final Pattern SLOT = Pattern.compile("\\{\\{([a-z-]+)}}");

  private ReportWriter() {}

  /** The page of results already read. */
  static String html(ReportData data) {
    return html(data, ReportJson.of(data));
  }

  /**
   * The same.
   *
   * @param json the results as {@link ReportJson} writes them
   */
  static String html(ReportData data, String json) {
    String watch = Assets.text("watch.js");
    String echarts = Assets.echarts();
    String page =
        Stream.of("charts.js", "sweeps.js", "heatmap.js", "timelines.js", "tables.js", "page.js")
            .map(Assets::text)
            .collect(Collectors.joining());
    Map<String, String> slots = new LinkedHashMap<>();
    slots.put("title", Html.escape(data.experiment()));
    slots.put("subtitle", Html.escape(subtitle(data)));
    slots.put("description", Html.escape(data.about().description()));
    slots.put(
        "script-hashes", Assets.hash(watch) + " " + Assets.hash(echarts) + " " + Assets.hash(page));
    slots.put("css", Assets.text("report.css"));
    slots.put("watch", watch);
    slots.put("echarts", echarts);
    slots.put("page", page);
    slots.put("data", Html.json(json));
    slots.put("baseline", Html.escape(data.baseline()));
    slots.put("latency-of", data.about().kind().latency());
    slots.put("load-word", data.about().kind().loadWord());
    slots.put("verdicts", Sections.verdicts(data));
    slots.put("goals", Goals.html(data) + BoundVerdicts.html(data));
    slots.put("results", Sections.results(data));
    slots.put("arms", Sections.arms(data) + Sections.published(data));
    slots.put("metrics", MetricsSection.metrics(data));
    slots.put("notes", Notes.html(data));
    slots.put("environment", EnvironmentSection.html(data));
    slots.put("sweeps", SweepSection.html(data));
    slots.put("grid", GridSection.table(data));
    slots.put("worst", WorstSection.html(data));
    slots.put(
        "heat-arms",
        Html.escape(
            (data.heatArms().size() > 1 ? "the best of " : "") + Sentences.join(data.heatArms())));
    slots.put("experiment-yaml", Html.escape(data.experimentYaml()));
    return fill(Assets.text("report.html"), slots);
  }

  private static String subtitle(ReportData data) {
    return Format.plural(data.arms().size(), "arm")
        + ", "
        + Format.plural(data.blocks().size(), "round")
        + ", "
        + data.about().kind().loadWord()
        + (data.loads().size() == 1 ? " " : "s ")
        + Sentences.join(data.loads())
        + data.environment().map(e -> ", " + Format.date(e.date())).orElse("");
  }

  /** Fills each slot once; what is filled in is not looked at again. */
  private static String fill(String template, Map<String, String> slots) {
    Matcher slot = SLOT.matcher(template);
    StringBuilder page = new StringBuilder();
    while (slot.find()) {
      String value = slots.get(slot.group(1));
      if (value == null) {
        throw new IllegalStateException("report.html asks for an unknown slot: " + slot.group());
      }
      slot.appendReplacement(page, Matcher.quoteReplacement(value));
    }
    return slot.appendTail(page).toString();
  }
}
