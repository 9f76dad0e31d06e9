/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.ReportData.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The report's numbers and verdicts as text: one table per load, all requests. */
final class TerminalSummary {
  private static final int MOST_SPEEDS = 13;

  private TerminalSummary() {}

  /** The summary of results already read. */
  static String of(ReportData data) {
    StringBuilder out = new StringBuilder();
    for (String load : data.loads()) {
      out.append(data.experiment()).append(", load ").append(load).append("\n\n");
      for (String requestClass : data.judged()) {
        if (!requestClass.equals("all")) {
          out.append("class ").append(requestClass).append('\n');
        }
        table(data, requestClass, load, out);
        out.append('\n');
        for (String arm : data.arms()) {
          if (!arm.equals(data.baseline()) && data.result(arm, requestClass, load).isPresent()) {
            out.append(Sentences.headed(data, arm, requestClass, load)).append('\n');
            String cost = requestClass.equals("all") ? Costs.sentence(data, arm, load) : "";
            if (!cost.isEmpty()) {
              out.append("  ").append(cost).append(".\n");
            }
          }
        }
        if (!requestClass.equals("all")) {
          out.append('\n');
        }
      }
      List<List<String>> goals = Goals.rows(data, load);
      if (!goals.isEmpty()) {
        out.append('\n');
        print(goals, 1, out);
        out.append('\n');
      }
      List<List<String>> bounds = BoundVerdicts.rows(data, load);
      if (!bounds.isEmpty()) {
        out.append('\n');
        print(bounds, 4, out);
        out.append('\n');
      }
      for (String warning : Sentences.warnings(data, load)) {
        out.append("Note: ").append(warning).append('\n');
      }
      out.append('\n');
    }
    published(data, out);
    simulated(data, out);
    return plain(out.toString());
  }

  /**
   * The cost of a simulation and the verdicts of its checkers; each arm's speed if there are few.
   */
  private static void simulated(ReportData data, StringBuilder out) {
    if (data.environment().isEmpty()) {
      return;
    }
    Map<String, String> speeds =
        EnvironmentSection.of(data.environment().get(), EnvironmentSection.SPEED);
    if (speeds.isEmpty()) {
      return;
    }
    out.append("Cost of the simulation\n\n");
    String all = EnvironmentSection.SPEED_OF_ALL.substring(EnvironmentSection.SPEED.length());
    List<List<String>> rows = new ArrayList<>();
    speeds.forEach(
        (name, line) -> {
          if (speeds.size() <= MOST_SPEEDS || name.equals(all)) {
            rows.add(List.of(name, line));
          }
        });
    print(rows, 1, out);
    if (rows.size() < speeds.size()) {
      out.append("The report and environment.json show each arm at each load.\n");
    }
    out.append('\n');
    EnvironmentSection.of(data.environment().get(), EnvironmentSection.CHECK)
        .forEach((name, line) -> out.append(name).append(": ").append(line).append('\n'));
    out.append('\n');
  }

  private static void published(ReportData data, StringBuilder out) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("claim", "of", "published", "ours", ""));
    for (Published.Line line : Published.lines(data)) {
      rows.add(List.of(line.claim(), line.what(), line.published(), line.ours(), line.holds()));
    }
    if (rows.size() > 1) {
      out.append("Compared with published numbers (means over rounds)\n\n");
      print(rows, 2, out);
      out.append('\n');
    }
  }

  private static void table(ReportData data, String requestClass, String load, StringBuilder out) {
    List<ResultColumn> columns = ResultColumn.of(data);
    List<String> header = new ArrayList<>(List.of("arm"));
    columns.forEach(column -> header.add(column.name()));
    header.add("");
    List<List<String>> rows = new ArrayList<>(List.of(header));
    for (String arm : data.arms()) {
      data.result(arm, requestClass, load).ifPresent(result -> rows.add(row(result, columns)));
    }
    print(rows, 1, out);
  }

  /** Rows in columns; the first {@code left} and the last stand on the left. */
  private static void print(List<List<String>> rows, int left, StringBuilder out) {
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
        boolean onLeft = i < left || i == widths.length - 1;
        line.append(onLeft ? row.get(i) + pad : pad + row.get(i)).append("  ");
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
  }

  private static List<String> row(Result result, List<ResultColumn> columns) {
    List<String> row = new ArrayList<>(List.of(result.arm()));
    for (ResultColumn column : columns) {
      String interval = column.interval().apply(result);
      row.add(column.text().apply(result) + (interval.isEmpty() ? "" : " (" + interval + ")"));
    }
    row.add(result.saturated() ? "saturated" : "");
    return row;
  }

  /** Terminals of any kind: plain spaces and dashes, and no control characters from names. */
  private static String plain(String text) {
    return text.replace('\u2009', ' ')
        .replace('\u00a0', ' ')
        .replace('–', '-')
        .replaceAll("[\\p{Cntrl}&&[^\n]]", "?");
  }
}
