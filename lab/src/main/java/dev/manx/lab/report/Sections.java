/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.ReportData.Comparison;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.stats.Verdict;
import java.util.List;

/** The parts of the page that are text and tables of latency. */
final class Sections {
  /** More cards than these are folded away but for the first few. */
  private static final int MOST_CARDS = 12;

  private static final int MOST_CARDS_BEFORE_MORE = 4;

  private Sections() {}

  /** One card per load and arm: a sentence and a word for each percentile. */
  static String verdicts(ReportData data) {
    Html html = new Html();
    for (String load : data.loads()) {
      html.open("div", "data-load", load);
      List<Result> others = data.others(load);
      int first = others.size() > MOST_CARDS ? MOST_CARDS_BEFORE_MORE : others.size();
      others.subList(0, first).forEach(result -> card(data, result, html));
      if (first < others.size()) {
        html.open("details");
        html.element("summary", (others.size() - first) + " more");
        others.subList(first, others.size()).forEach(result -> card(data, result, html));
        html.close("details");
      }
      if (data.arms().size() == 1) {
        html.element("p", "Only " + data.baseline() + " was measured: nothing to compare.");
      }
      List<String> warnings = Sentences.warnings(data, load);
      if (!warnings.isEmpty()) {
        html.open("ul", "class", "warnings");
        warnings.forEach(warning -> html.element("li", warning));
        html.close("ul");
      }
      html.close("div");
    }
    return html.toString();
  }

  private static void card(ReportData data, Result result, Html html) {
    String arm = result.arm();
    String requestClass = result.requestClass();
    String load = result.load();
    html.open("article", "class", "verdict");
    html.element("p", Sentences.headed(data, arm, requestClass, load));
    String goal = requestClass.equals("all") ? Goals.sentence(data, arm, load) : "";
    if (!goal.isEmpty()) {
      html.element("p", goal, "class", "goal");
    }
    String cost = requestClass.equals("all") ? Costs.sentence(data, arm, load) : "";
    if (!cost.isEmpty()) {
      html.element("p", cost + ".", "class", "goal");
    }
    html.open("ul", "class", "chips");
    for (Comparison c : data.comparisons(arm, requestClass, load)) {
      html.element("li", chip(c), "class", chipClass(c.result().verdict()));
    }
    html.close("ul").close("article");
  }

  private static String chip(Comparison c) {
    String words =
        switch (c.result().verdict()) {
          case LOWER, HIGHER -> Sentences.factor(c.result());
          case TOO_FEW_REQUESTS -> "too few requests";
          case NO_DIFFERENCE -> "no difference";
          case SATURATED -> "not compared";
          case TOO_FEW_ROUNDS -> "seen " + Sentences.seen(c.result());
        };
    return c.quantile().label() + " " + words;
  }

  private static String chipClass(Verdict verdict) {
    return switch (verdict) {
      case LOWER -> "lower";
      case HIGHER -> "higher";
      case NO_DIFFERENCE, SATURATED, TOO_FEW_ROUNDS, TOO_FEW_REQUESTS -> "none";
    };
  }

  /** One table of arms per class and load; the page shows one of them at a time. */
  static String results(ReportData data) {
    Html html = new Html();
    List<ResultColumn> columns = ResultColumn.of(data);
    for (String load : data.loads()) {
      for (String requestClass : data.classes()) {
        html.open("table", "data-load", load, "data-class", requestClass);
        html.open("thead").open("tr").element("th", "arm", "class", "name");
        columns.forEach(column -> html.element("th", column.name()));
        html.close("tr").close("thead").open("tbody");
        for (String arm : data.arms()) {
          data.result(arm, requestClass, load)
              .ifPresent(result -> row(data, columns, result, html));
        }
        html.close("tbody").close("table");
      }
    }
    return html.toString();
  }

  /** Published numbers beside ours; nothing where the experiment names none. */
  static String published(ReportData data) {
    List<Published.Line> lines = Published.lines(data);
    Html html = new Html();
    if (lines.isEmpty()) {
      return "";
    }
    html.element("h3", "Beside published numbers");
    if (data.about().quick()) {
      html.element("p", "From a quick run, which is too short for a conclusion.", "class", "lead");
    }
    html.open("div", "class", "scroll");
    html.open("table").open("thead").open("tr");
    List.of("claim", "of").forEach(name -> html.element("th", name, "class", "name"));
    List.of("published", "ours", "").forEach(name -> html.element("th", name));
    html.close("tr").close("thead").open("tbody");
    for (Published.Line line : lines) {
      html.open("tr");
      html.element("td", line.claim(), "class", "name");
      html.element("td", line.what(), "class", "name");
      html.element("td", line.published()).element("td", line.ours());
      html.element("td", line.holds(), "class", line.holds().startsWith("DOES") ? "bad" : "");
      html.close("tr");
    }
    return html.close("tbody").close("table").close("div").toString();
  }

  /** The descriptions of the arms that have one. */
  static String arms(ReportData data) {
    Html html = new Html();
    boolean fold = data.arms().size() > MOST_CARDS;
    if (fold) {
      html.open("details").element("summary", "The arms");
    }
    html.open("dl", "class", "arms");
    for (String arm : data.arms()) {
      String words = data.about().arms().getOrDefault(arm, "");
      if (!words.isEmpty()) {
        html.element("dt", arm).element("dd", words);
      }
    }
    html.close("dl");
    return (fold ? html.close("details") : html).toString();
  }

  private static void row(ReportData data, List<ResultColumn> columns, Result result, Html html) {
    html.open("tr");
    html.open("th", "class", "name")
        .element("span", "", "class", "swatch", "data-arm", result.arm());
    html.text(result.arm());
    if (result.arm().equals(data.baseline())) {
      html.element("span", "baseline", "class", "mark");
    }
    if (result.saturated()) {
      html.element("span", "saturated", "class", "mark bad");
    }
    html.close("th");
    for (ResultColumn column : columns) {
      html.open("td", "class", column.bad().test(result) ? "bad" : "");
      html.text(column.text().apply(result));
      String interval = column.interval().apply(result);
      if (!interval.isEmpty()) {
        html.element("small", interval);
      }
      html.close("td");
    }
    html.close("tr");
  }
}
