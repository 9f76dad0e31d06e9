/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.workload.result.SummaryRow;
import java.util.List;

/** The percentiles compared in a report. */
enum Quantile {
  /** The median. */
  P50("P50", "the median", 0.5),
  /** 95th percentile. */
  P95("P95", "P95", 0.95),
  /** 99th percentile. */
  P99("P99", "P99", 0.99),
  /** 99.9th percentile. */
  P999("P99.9", "P99.9", 0.999);

  /** All, in ascending order. */
  public static final List<Quantile> ALL = List.of(values());

  private final String label;
  private final String words;
  private final double fraction;

  Quantile(String label, String words, double fraction) {
    this.label = label;
    this.words = words;
    this.fraction = fraction;
  }

  /** {@code P99.9}. */
  public String label() {
    return label;
  }

  /** Its name in a sentence. */
  public String words() {
    return words;
  }

  /** Its value in a row, microseconds; NaN without recorded values. */
  public double us(SummaryRow row) {
    return switch (this) {
      case P50 -> row.p50Us();
      case P95 -> row.p95Us();
      case P99 -> row.p99Us();
      case P999 -> row.p999Us();
    };
  }

  /** The number of n requests beyond it. */
  public double beyond(double n) {
    return n * (1 - fraction);
  }
}
