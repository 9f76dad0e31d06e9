/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.stats.Estimate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The names shown to users for the latencies among the metrics of a sweep's point. */
final class PointMetrics {
  private static final double US_PER_MS = 1e3;

  /** Metrics that come first, in this order. */
  private static final List<String> FIRST =
      List.of(
          name(LatencyStatistic.P50),
          name(LatencyStatistic.P99),
          Measured.THROUGHPUT,
          Saturation.UTILISATION,
          name(LatencyStatistic.P95),
          name(LatencyStatistic.P999),
          name(LatencyStatistic.P90),
          name(LatencyStatistic.MEAN),
          name(LatencyStatistic.MAX));

  private PointMetrics() {}

  /** The metric for display: latencies in milliseconds under their usual names. */
  static Metric shown(Metric metric) {
    return LatencyStatistic.ofMetric(metric.name())
        .map(
            statistic ->
                new Metric(
                    metric.arm(),
                    metric.requestClass(),
                    metric.load(),
                    metric.params(),
                    name(statistic),
                    ms(metric.value())))
        .orElse(metric);
  }

  /** The name of a latency in milliseconds. */
  static String name(LatencyStatistic statistic) {
    return statistic.label() + " ms";
  }

  /** Microseconds as milliseconds. */
  static Estimate ms(Estimate us) {
    return scaled(us, 1 / US_PER_MS);
  }

  /** A share of a result in percent; its interval is unknown. */
  static Estimate percent(double share, Result result) {
    return new Estimate(100 * share, Double.NaN, Double.NaN, result.rounds());
  }

  /** The most important metrics first, the others by name. */
  static List<String> sorted(Collection<String> names) {
    List<String> sorted = new ArrayList<>(FIRST);
    sorted.retainAll(names);
    names.stream().sorted().filter(name -> !sorted.contains(name)).forEach(sorted::add);
    return List.copyOf(sorted);
  }

  private static Estimate scaled(Estimate e, double factor) {
    return new Estimate(e.value() * factor, e.lo() * factor, e.hi() * factor, e.rounds());
  }
}
