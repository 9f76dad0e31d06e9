/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.util.List;

/**
 * One row of {@code metrics.csv}: a metric other than latency of requests.
 *
 * @param key key of the row
 * @param params swept parameters as {@code name=value} joined by {@code ;}, or empty
 * @param metric the metric's name with its unit, for example {@code utilisation_pct}
 * @param value its value
 * @param lo lower end of its 95 % interval, NaN where there is none
 * @param hi upper end of its 95 % interval, NaN where there is none
 */
public record MetricRow(
    RowKey key, String params, String metric, double value, double lo, double hi) {
  /** The file {@code metrics.csv}. */
  public static final RowFormat<MetricRow> FORMAT =
      new RowFormat.Of<>(
          "metrics.csv",
          Csv.concat(RowKey.COLUMNS, List.of("params", "metric", "value", "lo", "hi")),
          MetricRow::fields,
          MetricRow::parse);

  /** A metric without swept parameters and without an interval. */
  public static MetricRow of(RowKey key, String metric, double value) {
    return new MetricRow(key, "", metric, value, Double.NaN, Double.NaN);
  }

  /** A count without swept parameters and without an interval. */
  public static MetricRow of(RowKey key, String metric, long count) {
    return of(key, metric, (double) count);
  }

  private List<String> fields() {
    return Csv.concat(
        key.fields(),
        List.of(params, metric, CsvFields.print(value), CsvFields.print(lo), CsvFields.print(hi)));
  }

  private static MetricRow parse(CsvFields in) {
    return new MetricRow(
        RowKey.parse(in),
        in.text("params"),
        in.name("metric"),
        in.number("value"),
        in.optionalNumber("lo"),
        in.optionalNumber("hi"));
  }
}
