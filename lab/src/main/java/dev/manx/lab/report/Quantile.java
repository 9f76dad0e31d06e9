/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.workload.result.SummaryRow;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The percentiles a report compares. */
enum Quantile {
  /** The median. */
  P50("P50", "the median", 0.5, SummaryRow::p50Us),
  /** 95th percentile. */
  P95("P95", "P95", 0.95, SummaryRow::p95Us),
  /** 99th percentile. */
  P99("P99", "P99", 0.99, SummaryRow::p99Us),
  /** 99.9th percentile. */
  P999("P99.9", "P99.9", 0.999, SummaryRow::p999Us);

  /** All, in ascending order. */
  public static final List<Quantile> ALL = List.of(values());

  private final String label;
  private final String words;
  private final double fraction;
  private final ToDoubleFunction<SummaryRow> column;

  Quantile(String label, String words, double fraction, ToDoubleFunction<SummaryRow> column) {
    this.label = label;
    this.words = words;
    this.fraction = fraction;
    this.column = column;
  }

  /** {@code P99.9}. */
  public String label() {
    return label;
  }

  /** As a sentence says it. */
  public String words() {
    return words;
  }

  /** Its value in a row, microseconds; NaN if nothing was recorded. */
  public double us(SummaryRow row) {
    return column.applyAsDouble(row);
  }

  /** How many of n requests lie beyond it. */
  public double beyond(double n) {
    return n * (1 - fraction);
  }
}
