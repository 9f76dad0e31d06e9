/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.simulator.Outcome;
import dev.manx.simulator.recorded.Recording;
import java.util.Comparator;
import java.util.List;

/**
 * Percentiles of request latency at the coordinator, nanoseconds.
 *
 * @param p5 5th percentile
 * @param p50 the median
 * @param p95 95th percentile
 * @param p99 99th percentile
 */
record Latencies(double p5, double p50, double p95, double p99) {
  /** As the nodes measured them; each request counts for as many a second as it stands for. */
  static Latencies measured(Recording recording) {
    List<Weighed> ends =
        recording.logs().stream()
            .flatMap(
                log ->
                    log.ends().stream()
                        .map(
                            end ->
                                new Weighed(end.latencyNanos(), end.weight() * log.rateOfAnEnd())))
            .sorted(Comparator.comparingLong(Weighed::nanos))
            .toList();
    return new Latencies(
        quantile(ends, 0.05), quantile(ends, 0.5), quantile(ends, 0.95), quantile(ends, 0.99));
  }

  private record Weighed(long nanos, double weight) {}

  /** As they were played. */
  static Latencies played(Outcome outcome) {
    var nanos = outcome.all().nanos();
    return new Latencies(
        nanos.getValueAtPercentile(5),
        nanos.getValueAtPercentile(50),
        nanos.getValueAtPercentile(95),
        nanos.getValueAtPercentile(99));
  }

  private static double quantile(List<Weighed> sorted, double part) {
    double rank = part * sorted.stream().mapToDouble(Weighed::weight).sum();
    double below = 0;
    for (Weighed end : sorted) {
      below += end.weight();
      if (below >= rank) {
        return end.nanos();
      }
    }
    throw new IllegalArgumentException("no request has ended");
  }

  /**
   * How far median, P95 and P99 are from another's, as a share of it: the farthest of the three.
   * The 5th percentile, by which the model is fitted, does not count.
   */
  double distanceFrom(Latencies other) {
    return Math.max(
        Math.abs(p50 / other.p50 - 1),
        Math.max(Math.abs(p95 / other.p95 - 1), Math.abs(p99 / other.p99 - 1)));
  }
}
