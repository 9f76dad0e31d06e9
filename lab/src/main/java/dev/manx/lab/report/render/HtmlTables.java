/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report.render;

import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.report.render.Table.Column;
import dev.manx.lab.report.render.Table.Kind;
import java.util.ArrayList;
import java.util.List;

/** Renders tables as HTML. The page shows those of one load and class at a time. */
final class HtmlTables {
  private HtmlTables() {}

  /** Tables in sequence, each under its heading and folded if required. */
  static String all(List<Table> tables) {
    Html html = new Html();
    tables.forEach(table -> folded(table, "", html));
    return html.toString();
  }

  /** Tables in sequence, each in a scrolling box. */
  static void scrolling(List<Table> tables, String style, Html html) {
    for (Table table : tables) {
      title(table, html);
      html.open("div", "class", "scroll");
      one(table, html, "class", style);
      html.close("div");
    }
  }

  /** A table with its heading, folded if required. */
  static void folded(Table table, String style, Html html) {
    title(table, html);
    if (table.fold().isEmpty()) {
      one(table, html, "class", style);
    } else {
      html.open("details", "data-load", table.load()).element("summary", table.fold());
      one(table, html, "class", style);
      html.close("details");
    }
  }

  private static void title(Table table, Html html) {
    if (!table.title().isEmpty()) {
      html.element("h3", table.title());
    }
  }

  /** A table alone; empty attributes are omitted. */
  static void one(Table table, Html html, String... attributes) {
    List<String> all = new ArrayList<>(List.of(attributes));
    all.addAll(List.of("data-load", table.load(), "data-class", table.requestClass()));
    html.open("table", all.toArray(String[]::new));
    if (table.columns().stream().anyMatch(column -> !column.name().isEmpty())) {
      html.open("thead").open("tr");
      for (Column column : table.columns()) {
        html.open("th", "class", style(column)).text(column.name());
        if (!column.words().isEmpty()) {
          html.element("small", column.words());
        }
        html.close("th");
      }
      html.close("tr").close("thead");
    }
    html.open("tbody");
    for (List<Cell> row : table.rows()) {
      html.open("tr");
      for (int i = 0; i < row.size(); i++) {
        cell(row.get(i), table.columns().get(i), i == 0, html);
      }
      html.close("tr");
    }
    html.close("tbody").close("table");
  }

  private static String style(Column column) {
    return switch (column.kind()) {
      case NAME -> "name";
      case VALUE -> "";
      case LONG_NAMED -> "words";
    };
  }

  private static void cell(Cell cell, Column column, boolean head, Html html) {
    String tag = head ? "th" : "td";
    String style = column.kind() == Kind.NAME ? "name" : cell.bad() ? "bad" : "";
    String value = cell.value() == null ? "" : cell.value().toString();
    html.open(tag, "class", style, "data-value", value);
    if (!cell.arm().isEmpty()) {
      html.element("span", "", "class", "swatch", "data-arm", cell.arm());
    }
    html.text(cell.text());
    if (!cell.mark().isEmpty()) {
      html.element("span", cell.mark(), "class", "mark");
    }
    if (!cell.warning().isEmpty()) {
      html.element("span", cell.warning(), "class", "mark bad");
    }
    if (!cell.small().isEmpty()) {
      html.element("small", cell.small());
    }
    html.close(tag);
  }
}
