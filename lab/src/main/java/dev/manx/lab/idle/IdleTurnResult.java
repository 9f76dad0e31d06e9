/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.idle;

import dev.manx.contention.idle.Case;
import dev.manx.contention.idle.IdleResult;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.SummaryRow;
import dev.manx.workload.result.TimelineRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One turn as rows of result files.
 *
 * @param key its arm, case, load, seed and round
 * @param which its case
 * @param startSeconds start of its window since the experiment's start
 * @param windowSeconds length of the window
 * @param result what was measured
 * @param cpu what the machine did meanwhile, by metric
 */
record IdleTurnResult(
    RowKey key,
    Case which,
    double startSeconds,
    double windowSeconds,
    IdleResult result,
    Map<String, Double> cpu) {
  private static final long SLICE_NANOS = 100_000_000L;

  SummaryRow summary(RowKey row, Histogram latency) {
    return SummaryRow.of(
        row, result.offered(), result.notDone(), 0, result.throughputPerSecond(), latency);
  }

  /** By metric name, in the order of their rows. */
  Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>(cpu);
    metrics.put("waits", (double) result.waits());
    metrics.put(
        "checks_per_wait", result.waits() == 0 ? 0 : (double) result.checks() / result.waits());
    metrics.put("p999_boosted_us", Histograms.percentileUs(result.latencyNanos(true), 99.9));
    metrics.put("p999_others_us", Histograms.percentileUs(result.latencyNanos(false), 99.9));
    metrics.put("safepoints", (double) result.safepoints().count());
    metrics.put("safepoint_total_ms", result.safepoints().totalNanos() / 1e6);
    metrics.put("safepoint_longest_ms", result.safepoints().longestNanos() / 1e6);
    metrics.values().removeIf(value -> value.isNaN() || value.isInfinite());
    return metrics;
  }

  /** The band of the timeline in which some threads were boosted; empty if none were. */
  List<MetricRow> marks(int nice) {
    double[] boosted = result.boostedSeconds();
    if (boosted.length == 0) {
      return List.of();
    }
    String params =
        String.format(Locale.ROOT, "from=%.2f;to=%.2f;label=nice %d", boosted[0], boosted[1], nice);
    return List.of(new MetricRow(key, params, "mark", 1, Double.NaN, Double.NaN));
  }

  /**
   * P99, maximum and rate of every slice, by the intended time.
   *
   * @param suffix after the entity, for experiments of several loads
   */
  List<TimelineRow> timeline(String suffix) {
    List<TimelineRow> rows = new ArrayList<>();
    int slice = 0;
    for (Histogram one : result.latencyOverTime(SLICE_NANOS)) {
      double seconds = slice++ * SLICE_NANOS / 1e9;
      if (one.getTotalCount() > 0) {
        row(rows, seconds, suffix, "p99_ms", Histograms.percentileUs(one, 99) / 1e3);
        row(rows, seconds, suffix, "max_ms", Histograms.percentileUs(one, 100) / 1e3);
      }
    }
    return rows;
  }

  private void row(
      List<TimelineRow> rows, double seconds, String suffix, String metric, double value) {
    rows.add(
        new TimelineRow(
            key.arm(),
            key.seed(),
            key.round(),
            Math.round(seconds * 1e3) / 1e3,
            which.label() + suffix,
            metric,
            Math.round(value * 1e3) / 1e3));
  }
}
