/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.SummaryRow;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The latencies of requests in results: columns of {@code summary.csv}, and metrics of a sweep's
 * points, which have no row there.
 */
public enum LatencyStatistic {
  /** The mean. */
  MEAN("mean", SummaryRow::meanUs, latency -> latency.meanNanos() / 1e3),
  /** The median. */
  P50("P50", SummaryRow::p50Us, percentile(50)),
  /** 90th percentile. */
  P90("P90", SummaryRow::p90Us, percentile(90)),
  /** 95th percentile. */
  P95("P95", SummaryRow::p95Us, percentile(95)),
  /** 99th percentile. */
  P99("P99", SummaryRow::p99Us, percentile(99)),
  /** 99.9th percentile. */
  P999("P99.9", SummaryRow::p999Us, percentile(99.9)),
  /** The maximum. */
  MAX("max", SummaryRow::maxUs, percentile(100));

  private final String label;
  private final ToDoubleFunction<SummaryRow> ofRow;
  private final ToDoubleFunction<Measured.Latency> ofTurn;

  LatencyStatistic(
      String label, ToDoubleFunction<SummaryRow> ofRow, ToDoubleFunction<Measured.Latency> ofTurn) {
    this.label = label;
    this.ofRow = ofRow;
    this.ofTurn = ofTurn;
  }

  private static ToDoubleFunction<Measured.Latency> percentile(double percentile) {
    return latency -> Histograms.percentileUs(latency.nanos(), percentile);
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
    return ofTurn.applyAsDouble(latency);
  }
}
