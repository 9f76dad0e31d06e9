/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.stats.Estimate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The report's numbers and verdicts as text: one table per load, all requests. */
public final class TerminalSummary {
  private static final List<String> HEADER =
      List.of(
          "arm",
          "requests",
          "errors",
          "wrong",
          "per s",
          "P50 ms",
          "P95 ms",
          "P99 ms",
          "P99.9 ms",
          "busy",
          "");

  private TerminalSummary() {}

  /** The summary of a result directory, lines ended by {@code \n}. */
  public static String of(Path directory) throws IOException {
    return of(ReportData.read(directory));
  }

  /** The summary of results already read. */
  static String of(ReportData data) {
    StringBuilder out = new StringBuilder();
    for (String load : data.loads()) {
      out.append(data.experiment()).append(", load ").append(load).append("\n\n");
      table(data, load, out);
      out.append('\n');
      for (String arm : data.arms()) {
        if (!arm.equals(data.baseline())) {
          out.append(Sentences.verdict(data, arm, "all", load)).append('\n');
        }
      }
      for (String warning : Sentences.warnings(data, load)) {
        out.append("Note: ").append(warning).append('\n');
      }
      out.append('\n');
    }
    published(data, out);
    return plain(out.toString());
  }

  private static void published(ReportData data, StringBuilder out) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("claim", "of", "published", "ours", ""));
    for (Published.Line line : Published.lines(data)) {
      rows.add(List.of(line.claim(), line.what(), line.published(), line.ours(), line.holds()));
    }
    if (rows.size() > 1) {
      out.append("Beside published numbers (means over rounds)\n\n");
      print(rows, 2, out);
      out.append('\n');
    }
  }

  private static void table(ReportData data, String load, StringBuilder out) {
    List<List<String>> rows = new ArrayList<>(List.of(HEADER));
    for (String arm : data.arms()) {
      data.result(arm, "all", load).ifPresent(result -> rows.add(row(result)));
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

  private static List<String> row(Result result) {
    List<String> row = new ArrayList<>();
    row.add(result.arm());
    row.add(Format.count(result.count()));
    row.add(Format.count(result.errors()));
    row.add(Format.count(result.wrong()));
    row.add(Format.number(result.throughputPerSecond()));
    for (Quantile quantile : Quantile.ALL) {
      Estimate value = result.quantiles().get(quantile);
      row.add(Format.ms(value.value()) + " (" + Format.msInterval(value) + ")");
    }
    row.add(Format.percent(result.utilisation()));
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
