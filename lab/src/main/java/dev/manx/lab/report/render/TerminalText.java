/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report.render;

import com.fasterxml.jackson.databind.JsonNode;
import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.report.render.Table.Column;
import dev.manx.lab.report.render.Table.Kind;
import java.util.ArrayList;
import java.util.List;

/** The report's tables and verdicts as text: for each load, the classes with verdicts. */
public final class TerminalText {
  private final ReportView report;
  private final StringBuilder out = new StringBuilder();

  private TerminalText(ReportView report) {
    this.report = report;
  }

  /** The text of the content of a report.json, lines ended by {@code \n}. */
  public static String of(JsonNode json) {
    TerminalText text = new TerminalText(new ReportView(json));
    text.loads();
    text.published();
    text.simulated();
    return plain(text.out.toString());
  }

  private void loads() {
    for (String load : report.texts("loads")) {
      line(report.text("experiment") + ", load " + load).append('\n');
      for (String requestClass : report.texts("judged")) {
        ofClass(requestClass, load);
      }
      ofLoad("goals", load);
      ofLoad("bounds", load);
      report
          .at(load, "warnings")
          .forEach(warning -> line("Note: " + warning.path("sentence").asText()));
      out.append('\n');
    }
  }

  private void ofClass(String requestClass, String load) {
    boolean all = requestClass.equals("all");
    if (!all) {
      line("class " + requestClass);
    }
    report.tables("results").stream()
        .filter(table -> table.load().equals(load) && table.requestClass().equals(requestClass))
        .forEach(this::print);
    out.append('\n');
    for (JsonNode verdict : report.at(load, "verdicts")) {
      if (verdict.path("class").asText().equals(requestClass)) {
        line(ReportView.headed(verdict));
        String cost = verdict.path("cost").asText();
        if (!cost.isEmpty()) {
          line("  " + cost + ".");
        }
        verdict.path("also").forEach(one -> line("  " + one.asText()));
      }
    }
    if (!all) {
      out.append('\n');
    }
  }

  /** The tables of a section at a load, if any. */
  private void ofLoad(String section, String load) {
    for (Table table : report.tables(section)) {
      Table own = table.at(load);
      if ((own.load().isEmpty() || own.load().equals(load)) && !own.rows().isEmpty()) {
        out.append('\n');
        print(own);
        out.append('\n');
      }
    }
  }

  private void published() {
    for (Table table : report.tables("published")) {
      line("Compared with published numbers (means over rounds; medians at points of a sweep)")
          .append('\n');
      print(table);
      out.append('\n');
    }
  }

  /** The cost of a simulation and the verdicts of its checkers. */
  private void simulated() {
    List<Table> cost = report.tables("cost");
    if (cost.isEmpty()) {
      return;
    }
    line("Cost of the simulation").append('\n');
    print(cost.get(0));
    if (cost.size() > 1) {
      line("The report and environment.json show each arm at each load.");
    }
    out.append('\n');
    report.tables("checks").stream()
        .flatMap(table -> table.rows().stream())
        .forEach(row -> line(row.get(0).text() + ": " + row.get(1).text()));
    out.append('\n');
  }

  private StringBuilder line(String text) {
    return out.append(text).append('\n');
  }

  /**
   * A table in columns: leading names, warnings and a last column without heading are left-aligned.
   */
  private void print(Table table) {
    List<List<String>> rows = new ArrayList<>();
    List<String> header = new ArrayList<>(table.columns().stream().map(Column::name).toList());
    boolean named = header.stream().anyMatch(name -> !name.isEmpty());
    List<String> warnings = table.warnings();
    boolean warned = warnings.stream().anyMatch(warning -> !warning.isEmpty());
    if (warned) {
      header.add("");
    }
    if (named) {
      rows.add(header);
    }
    for (int i = 0; i < table.rows().size(); i++) {
      List<String> row = new ArrayList<>();
      for (int column = 0; column < table.columns().size(); column++) {
        row.add(text(table.rows().get(i).get(column), table.columns().get(column)));
      }
      if (warned) {
        row.add(warnings.get(i));
      }
      rows.add(row);
    }
    boolean lastLeft = header.get(header.size() - 1).isEmpty();
    print(rows, table.names(), lastLeft);
  }

  private static String text(Cell cell, Column column) {
    boolean alone = cell.small().isEmpty() || column.kind() == Kind.NAME;
    return alone ? cell.text() : cell.text() + " (" + cell.small() + ")";
  }

  private void print(List<List<String>> rows, int left, boolean lastLeft) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String pad = " ".repeat(widths[i] - row.get(i).length());
        boolean onLeft = i < left || lastLeft && i == widths.length - 1;
        line.append(onLeft ? row.get(i) + pad : pad + row.get(i)).append("  ");
      }
      line(line.toString().stripTrailing());
    }
  }

  /** For terminals of any kind: plain spaces and dashes, without control characters from names. */
  private static String plain(String text) {
    return text.replace('\u2009', ' ')
        .replace('\u00a0', ' ')
        .replace('–', '-')
        .replaceAll("[\\p{Cntrl}&&[^\n]]", "?");
  }
}
