/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.util.List;

/**
 * One row of {@code timeline.csv}: a value at a moment.
 *
 * @param arm the arm
 * @param seed a seed
 * @param round a round
 * @param seconds seconds since the start of the measured window (column {@code t_s})
 * @param entity owner of the value, for example a node or {@code client}
 * @param metric the metric's name with its unit
 * @param value its value
 */
public record TimelineRow(
    String arm,
    String seed,
    String round,
    double seconds,
    String entity,
    String metric,
    double value) {
  /** The file {@code timeline.csv}. */
  public static final RowFormat<TimelineRow> FORMAT =
      new RowFormat.Of<>(
          "timeline.csv",
          List.of("arm", "seed", "round", "t_s", "entity", "metric", "value"),
          TimelineRow::fields,
          TimelineRow::parse);

  private List<String> fields() {
    return List.of(
        arm, seed, round, CsvFields.print(seconds), entity, metric, CsvFields.print(value));
  }

  private static TimelineRow parse(CsvFields in) {
    return new TimelineRow(
        in.name("arm"),
        in.name("seed"),
        in.name("round"),
        in.number("t_s"),
        in.name("entity"),
        in.name("metric"),
        in.number("value"));
  }
}
