/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import com.fasterxml.jackson.databind.JsonNode;
import dev.manx.operate.text.TextTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The results for operators: each strategy at each load, and its P99 compared with stock's. */
final class AdviceTable {
  private static final List<String> QUANTILES = List.of("P50", "P95", "P99");

  private AdviceTable() {}

  /** Builds the table from a report; rows in its order, load by load. */
  static String of(Path folder, ClusterModel model, List<Double> loads) throws IOException {
    JsonNode report = Advice.report(folder);
    List<String> names =
        IntStream.range(0, report.get("quantiles").size())
            .mapToObj(i -> report.get("quantiles").get(i).asText())
            .toList();
    TextTable table =
        new TextTable("load", "strategy", ">P50 ms", ">P95 ms", ">P99 ms", "P99 against stock's");
    for (double load : loads) {
      String label = AdviceFile.rate(model, load);
      String shown = String.format(Locale.ROOT, "%.0f %%", 100 * load);
      for (JsonNode result : report.get("results")) {
        if (result.get("class").asText().equals("all")
            && result.get("load").asText().equals(label)) {
          JsonNode quantiles = result.get("quantiles");
          List<String> cells =
              QUANTILES.stream()
                  .map(name -> millis(quantiles.path(names.indexOf(name)).path(0)))
                  .toList();
          table.row(
              shown,
              result.get("arm").asText(),
              cells.get(0),
              cells.get(1),
              cells.get(2),
              against(report, result, label));
          shown = "";
        }
      }
    }
    return table.toString();
  }

  private static String millis(JsonNode value) {
    return value.isNumber() ? millis(value.asDouble()) : "";
  }

  /** Three digits, or all digits before the point; never scientific notation. */
  static String millis(double value) {
    return String.format(Locale.ROOT, value < 999.5 ? "%.3g" : "%.0f", value);
  }

  private static String against(JsonNode report, JsonNode result, String load) {
    if (result.get("saturated").asBoolean()) {
      return "saturated: it cannot serve this load";
    }
    return Advice.comparisons(report, load, Advice.QUANTILE).stream()
        .filter(one -> one.get("arm").equals(result.get("arm")))
        .findFirst()
        .map(AdviceTable::ratio)
        .orElse("");
  }

  private static String ratio(JsonNode comparison) {
    return switch (comparison.get("verdict").asText()) {
      case "LOWER", "HIGHER", "NO_DIFFERENCE" ->
          String.format(
              Locale.ROOT,
              "%.2fx (%.2f-%.2f)%s",
              comparison.get("ratio").asDouble(),
              comparison.get("lo").asDouble(),
              comparison.get("hi").asDouble(),
              comparison.get("verdict").asText().equals("NO_DIFFERENCE") ? ", no difference" : "");
      default -> "no verdict";
    };
  }
}
