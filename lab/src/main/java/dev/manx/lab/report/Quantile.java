/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.workload.result.SummaryRow;
import java.util.List;
import java.util.Optional;

/** The percentiles compared in a report. */
enum Quantile {
  /** The median. */
  P50(LatencyStatistic.P50, "the median", 0.5),
  /** 95th percentile. */
  P95(LatencyStatistic.P95, "P95", 0.95),
  /** 99th percentile. */
  P99(LatencyStatistic.P99, "P99", 0.99),
  /** 99.9th percentile. */
  P999(LatencyStatistic.P999, "P99.9", 0.999);

  /** All, in ascending order. */
  public static final List<Quantile> ALL = List.of(values());

  private final LatencyStatistic statistic;
  private final String words;
  private final double fraction;

  Quantile(LatencyStatistic statistic, String words, double fraction) {
    this.statistic = statistic;
    this.words = words;
    this.fraction = fraction;
  }

  /** The percentile of a statistic, if it is compared. */
  static Optional<Quantile> of(LatencyStatistic statistic) {
    return ALL.stream().filter(one -> one.statistic == statistic).findFirst();
  }

  /** Its source in the result files. */
  LatencyStatistic statistic() {
    return statistic;
  }

  /** {@code P99.9}. */
  public String label() {
    return statistic.label();
  }

  /** Its name in a sentence. */
  public String words() {
    return words;
  }

  /** Its value in a row, microseconds; NaN without recorded values. */
  public double us(SummaryRow row) {
    return statistic.us(row);
  }

  /** The number of n requests beyond it. */
  public double beyond(double n) {
    return n * (1 - fraction);
  }
}
