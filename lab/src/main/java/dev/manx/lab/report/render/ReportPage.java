/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The page {@code report.html}: one file that opens from disk, without a network, with long-term
 * readability. Stateless; any thread.
 */
public final class ReportPage {
  /* Text from files is escaped where it enters the page. A content security policy is the second
   * line of defence: only the page's own scripts run, and fetching is disabled. */

  /** The page's name in a result directory. */
  public static final String FILE_NAME = "report.html";

  /** Keys shown as text, which the charts do not need. */
  private static final Set<String> NOT_DRAWN = Set.of("tables", "notes", "experimentYaml");

  private static final Pattern SLOT = Pattern.compile("\\{\\{([a-z-]+)}}");

  private ReportPage() {}

  /** The page of the content of a report.json. */
  public static String html(JsonNode json) {
    ReportView report = new ReportView(json);
    String watch = Assets.text("watch.js");
    String echarts = Assets.echarts();
    String page =
        Stream.of("charts.js", "sweeps.js", "heatmap.js", "timelines.js", "tables.js", "page.js")
            .map(Assets::text)
            .collect(Collectors.joining());
    Map<String, String> slots = new LinkedHashMap<>();
    slots.put("title", Html.escape(report.text("experiment")));
    slots.put("subtitle", Html.escape(report.text("subtitle")));
    slots.put("description", Html.escape(report.text("description")));
    slots.put(
        "script-hashes", Assets.hash(watch) + " " + Assets.hash(echarts) + " " + Assets.hash(page));
    slots.put("css", Assets.text("report.css"));
    slots.put("watch", watch);
    slots.put("echarts", echarts);
    slots.put("page", page);
    slots.put("data", Html.json(drawn(json).toString()));
    slots.put("baseline", Html.escape(report.text("baseline")));
    slots.put("references", references(report));
    slots.put("latency-of", Html.escape(report.text("latencyOf")));
    slots.put("interval", Html.escape(report.text("interval")).replace(" %", "&nbsp;%"));
    slots.put("load-word", Html.escape(report.text("loadWord")));
    slots.put("verdicts", Verdicts.html(report));
    slots.put("goals", goals(report) + bounds(report));
    slots.put("results", HtmlTables.all(report.tables("results")));
    slots.put("arms", arms(report) + published(report));
    slots.put("ratios", ratios(report));
    slots.put("metrics", HtmlTables.all(report.tables("metrics")));
    slots.put("notes", notes(report));
    slots.put("environment", environment(report));
    slots.put("sweeps", sweeps(report));
    slots.put("grid", grid(report));
    slots.put("worst", scrolling(report, "worst", "small worst"));
    slots.put("heat-arms", Html.escape(report.text("heatWords")));
    slots.put("experiment-yaml", Html.escape(report.text("experimentYaml")));
    return fill(Assets.text("report.html"), slots);
  }

  private static JsonNode drawn(JsonNode report) {
    ObjectNode data = report.deepCopy();
    return data.remove(NOT_DRAWN);
  }

  /**
   * {@code <b>a</b>}, {@code <b>a</b> and <b>b</b>}: the arms that the others are compared with.
   */
  private static String references(ReportView report) {
    return Stream.concat(Stream.of(report.text("baseline")), report.texts("alsoAgainst").stream())
        .map(arm -> "<b>" + Html.escape(arm) + "</b>")
        .collect(Collectors.joining(" and "));
  }

  /** Empty if no arms are compared. */
  private static String ratios(ReportView report) {
    List<Table> tables = report.tables("ratios");
    if (tables.isEmpty()) {
      return "";
    }
    Html html = new Html().open("details").element("summary", "The numbers");
    HtmlTables.scrolling(tables, "small", html);
    return html.close("details").toString();
  }

  private static String goals(ReportView report) {
    return section(
        report,
        "goals",
        "Goals",
        "Percentage of the time in which a percentile exceeded its goal, the median over rounds;"
            + " below, the "
            + report.text("interval")
            + ".");
  }

  private static String bounds(ReportView report) {
    return section(
        report,
        "bounds",
        "Bounds",
        "Bounds on an arm's cost, as the experiment sets them. Held: the whole 95\u00a0% interval of"
            + " the ratio, round by round, lies within the bound. Not shown: more rounds are needed.");
  }

  /** Empty without tables. */
  private static String section(ReportView report, String name, String title, String lead) {
    List<Table> tables = report.tables(name);
    if (tables.isEmpty()) {
      return "";
    }
    Html html = new Html().open("section", "id", name).element("h2", title);
    html.element("p", lead, "class", "lead").open("div", "class", "scroll");
    tables.forEach(table -> HtmlTables.one(table, html));
    return html.close("div").close("section").toString();
  }

  private static String published(ReportView report) {
    Html html = new Html();
    for (Table table : report.tables("published")) {
      html.element("h3", "Compared with published numbers");
      html.element(
          "p",
          "Ours are means over rounds, or medians at the points of a sweep. Where more than 0.1\u00a0%"
              + " of an arm's requests failed, its number is called failing and not judged.",
          "class",
          "lead");
      if (report.flag("quick")) {
        html.element(
            "p", "From a quick run, which is too short for a conclusion.", "class", "lead");
      }
      html.open("div", "class", "scroll");
      HtmlTables.one(table, html);
      html.close("div");
    }
    return html.toString();
  }

  /** The descriptions of the arms that have one. */
  private static String arms(ReportView report) {
    Html html = new Html();
    boolean fold = report.texts("arms").size() > Verdicts.MOST_CARDS;
    if (fold) {
      html.open("details").element("summary", "The arms");
    }
    html.open("dl", "class", "arms");
    report
        .top()
        .path("descriptions")
        .fields()
        .forEachRemaining(
            arm -> html.element("dt", arm.getKey()).element("dd", arm.getValue().asText()));
    html.close("dl");
    return (fold ? html.close("details") : html).toString();
  }

  private static String notes(ReportView report) {
    Html html = new Html().open("ul", "class", "notes");
    report.stream("notes")
        .forEach(
            note ->
                html.open("li")
                    .element("strong", note.path("head").asText() + " ")
                    .text(note.path("text").asText())
                    .close("li"));
    return html.close("ul").toString();
  }

  private static String environment(ReportView report) {
    Html html = new Html();
    for (String section : List.of("environment", "checks", "cost")) {
      report.tables(section).forEach(table -> HtmlTables.folded(table, "facts", html));
    }
    return html.toString();
  }

  /** A part for each sweep: the page's script fills in the charts. */
  private static String sweeps(ReportView report) {
    Html html = new Html();
    int index = 0;
    for (JsonNode sweep : report.stream("sweeps").toList()) {
      html.open("div", "class", "sweep", "data-sweep", Integer.toString(index));
      html.element("h3", "over " + sweep.path("title").asText());
      html.open("div", "class", "legend").close("div");
      html.open("div", "class", "panels").close("div");
      html.open("details").element("summary", "The numbers");
      HtmlTables.scrolling(report.tables("sweep " + index), "small", html);
      html.close("details").close("div");
      index++;
    }
    return html.toString();
  }

  private static String grid(ReportView report) {
    Html html = new Html();
    report
        .tables("grid")
        .forEach(table -> HtmlTables.one(table, html, "class", "sortable", "id", "grid-table"));
    return html.toString();
  }

  private static String scrolling(ReportView report, String section, String style) {
    Html html = new Html();
    HtmlTables.scrolling(report.tables(section), style, html);
    return html.toString();
  }

  /** Fills each slot once; inserted text is not scanned again. */
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
