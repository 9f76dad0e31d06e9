/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.stats.Estimate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The names shown to users for the latencies among the metrics of a sweep's point. */
final class PointMetrics {
  /** Requests answered well. */
  static final String THROUGHPUT = "throughput_per_s";

  /** Measured utilisation, percent. */
  static final String UTILISATION = Saturation.UTILISATION;

  private static final double US_PER_MS = 1e3;

  private static final Map<String, String> SHOWN =
      Map.of(
          "latency_mean_us", "mean ms",
          "latency_p50_us", "P50 ms",
          "latency_p90_us", "P90 ms",
          "latency_p95_us", "P95 ms",
          "latency_p99_us", "P99 ms",
          "latency_p999_us", "P99.9 ms",
          "latency_max_us", "max ms");

  /** Metrics that come first, in this order. */
  private static final List<String> FIRST =
      List.of(
          "P50 ms",
          "P99 ms",
          THROUGHPUT,
          UTILISATION,
          "P95 ms",
          "P99.9 ms",
          "P90 ms",
          "mean ms",
          "max ms");

  private PointMetrics() {}

  /** The metric for display: latencies in milliseconds under their usual names. */
  static Metric shown(Metric metric) {
    String name = SHOWN.get(metric.name());
    return name == null
        ? metric
        : new Metric(
            metric.arm(),
            metric.requestClass(),
            metric.load(),
            metric.params(),
            name,
            ms(metric.value()));
  }

  /** Microseconds as milliseconds. */
  static Estimate ms(Estimate us) {
    return scaled(us, 1 / US_PER_MS);
  }

  /** A result's utilisation in percent; its interval is unknown. */
  static Estimate percent(Result result) {
    double percent = result.utilisation() * 100;
    return new Estimate(percent, Double.NaN, Double.NaN, result.rounds());
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
