/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.SummaryRow;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The latencies of requests in results: columns of {@code summary.csv}, and metrics of a sweep's
 * points, which have no row there.
 */
public enum LatencyStatistic {
  MEAN("mean", Double.NaN, SummaryRow::meanUs),
  P50("P50", 0.5, SummaryRow::p50Us),
  P90("P90", 0.9, SummaryRow::p90Us),
  P95("P95", 0.95, SummaryRow::p95Us),
  P99("P99", 0.99, SummaryRow::p99Us),
  P999("P99.9", 0.999, SummaryRow::p999Us),
  MAX("max", 1, SummaryRow::maxUs);

  /** The percentiles compared in a report, in ascending order. */
  public static final List<LatencyStatistic> COMPARED = List.of(P50, P95, P99, P999);

  private final String label;
  private final double fraction;
  private final ToDoubleFunction<SummaryRow> ofRow;

  LatencyStatistic(String label, double fraction, ToDoubleFunction<SummaryRow> ofRow) {
    this.label = label;
    this.fraction = fraction;
    this.ofRow = ofRow;
  }

  /** The statistic with a label, if any. */
  public static Optional<LatencyStatistic> of(String label) {
    return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
  }

  /** The statistic with the name of a metric, if any. */
  public static Optional<LatencyStatistic> ofMetric(String name) {
    return Arrays.stream(values()).filter(one -> one.metric().equals(name)).findFirst();
  }

  /** {@code P99.9}. */
  public String label() {
    return label;
  }

  /** Its name in a sentence. */
  public String words() {
    return this == P50 ? "the median" : label;
  }

  /** The number of n requests beyond a percentile. */
  public double beyond(double n) {
    return n * (1 - fraction);
  }

  /** Its name in {@code metrics.csv} at a point of a sweep: {@code latency_p999_us}. */
  public String metric() {
    return "latency_" + name().toLowerCase(Locale.ROOT) + "_us";
  }

  /** Its value in a row, microseconds; NaN without recorded values. */
  public double us(SummaryRow row) {
    return ofRow.applyAsDouble(row);
  }

  /** Its value in a turn, microseconds; a percentile is NaN without recorded values. */
  double us(Measured.Latency latency) {
    return this == MEAN
        ? latency.meanNanos() / 1e3
        : Histograms.percentileUs(latency.nanos(), 100 * fraction);
  }
}
