/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * What is to be marked on timelines: rows of metrics.csv with the metric {@code mark}. The params
 * are explained in docs/result-files.md.
 */
final class Marks {
  /** The metric's name. */
  static final String METRIC = "mark";

  /**
   * One mark.
   *
   * @param fromSeconds where it starts; NaN for a level
   * @param toSeconds where it ends; NaN for a single moment or a level
   * @param level a value of the metric; NaN for a moment or a window
   * @param metric the only timeline that has it, or empty for all
   * @param arm the only arm that has it, or {@code all}
   * @param requestClass the only class that has it, or {@code all}
   * @param load the only load that has it, or {@code all}
   * @param block the only round that has it, or {@code all}
   */
  record Mark(
      String label,
      double fromSeconds,
      double toSeconds,
      double level,
      String metric,
      String arm,
      String requestClass,
      String load,
      String block) {}

  private Marks() {}

  /**
   * The marks among the rows, each once; one without {@code from} or {@code level} says nothing.
   *
   * @param block the label of a row's round
   */
  static List<Mark> of(List<MetricRow> rows, Function<RowKey, String> block) {
    Set<Mark> marks = new LinkedHashSet<>();
    for (MetricRow row : rows) {
      if (!row.metric().equals(METRIC)) {
        continue;
      }
      Map<String, String> params = Params.of(row.params());
      RowKey key = row.key();
      boolean everyRound = key.seed().equals(RowKey.ALL) || key.round().equals(RowKey.ALL);
      Mark mark =
          new Mark(
              params.getOrDefault("label", ""),
              number(params, "from"),
              number(params, "to"),
              number(params, "level"),
              params.getOrDefault("metric", ""),
              key.arm(),
              key.requestClass(),
              key.load(),
              everyRound ? RowKey.ALL : block.apply(key));
      if (!Double.isNaN(mark.fromSeconds()) || !Double.isNaN(mark.level())) {
        marks.add(mark);
      }
    }
    return List.copyOf(marks);
  }

  private static double number(Map<String, String> params, String name) {
    String text = params.getOrDefault(name, "");
    OptionalDouble value = OptionalDouble.empty();
    try {
      value = OptionalDouble.of(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      // A mark that cannot be read is not drawn; its row stands in the file.
    }
    return value.isPresent() && Double.isFinite(value.getAsDouble())
        ? value.getAsDouble()
        : Double.NaN;
  }
}
