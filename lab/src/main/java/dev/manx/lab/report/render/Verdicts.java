/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report.render;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The cards at the top of the page: per load and arm a sentence and a word for each percentile. */
final class Verdicts {
  /** With more cards than these, all but the first few are folded. */
  static final int MOST_CARDS = 12;

  private static final int MOST_CARDS_BEFORE_MORE = 4;

  private Verdicts() {}

  static String html(ReportView report) {
    Html html = new Html();
    for (String load : report.texts("loads")) {
      html.open("div", "data-load", load);
      List<JsonNode> verdicts = report.at(load, "verdicts");
      int first = verdicts.size() > MOST_CARDS ? MOST_CARDS_BEFORE_MORE : verdicts.size();
      verdicts.subList(0, first).forEach(verdict -> card(verdict, html));
      if (first < verdicts.size()) {
        html.open("details").element("summary", (verdicts.size() - first) + " more");
        verdicts.subList(first, verdicts.size()).forEach(verdict -> card(verdict, html));
        html.close("details");
      }
      if (report.texts("arms").size() == 1) {
        html.element("p", "Only " + report.text("baseline") + " was measured: nothing to compare.");
      }
      List<JsonNode> warnings = report.at(load, "warnings");
      if (!warnings.isEmpty()) {
        html.open("ul", "class", "warnings");
        warnings.forEach(warning -> html.element("li", warning.path("sentence").asText()));
        html.close("ul");
      }
      html.close("div");
    }
    return html.toString();
  }

  private static void card(JsonNode verdict, Html html) {
    html.open("article", "class", "verdict").element("p", ReportView.headed(verdict));
    String goal = verdict.path("goal").asText();
    if (!goal.isEmpty()) {
      html.element("p", goal, "class", "goal");
    }
    String cost = verdict.path("cost").asText();
    if (!cost.isEmpty()) {
      html.element("p", cost + ".", "class", "goal");
    }
    html.open("ul", "class", "chips");
    for (JsonNode chip : verdict.path("chips")) {
      html.element("li", chip.path("text").asText(), "class", style(chip));
    }
    html.close("ul");
    verdict.path("also").forEach(one -> html.element("p", one.asText(), "class", "also"));
    html.close("article");
  }

  private static String style(JsonNode chip) {
    return switch (chip.path("verdict").asText()) {
      case "LOWER" -> "lower";
      case "HIGHER" -> "higher";
      default -> "none";
    };
  }
}
