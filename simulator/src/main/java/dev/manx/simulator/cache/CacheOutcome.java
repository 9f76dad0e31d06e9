/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import dev.manx.simulator.Check;
import dev.manx.simulator.Outcome;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The results of a run.
 *
 * @param requests latencies in nanoseconds of the requests that arrived in the measured time,
 *     without failed ones
 * @param errors requests that arrived in the measured time and failed, because one of their queries
 *     did
 * @param answered requests answered in the measured time, whenever they arrived
 * @param windowSeconds measured, in the run's compressed time
 * @param metrics in the order of their rows
 * @param meanShares bytes of full size by backend, mean over servers and the measured time
 * @param checks verdicts of the checkers
 * @param timeline points, by uncompressed seconds since the end of the warm-up
 * @param cost cost of the run itself
 */
public record CacheOutcome(
    Histogram requests,
    long errors,
    long answered,
    double windowSeconds,
    List<Metric> metrics,
    Map<String, Double> meanShares,
    List<Check> checks,
    List<Outcome.Point> timeline,
    Outcome.Cost cost) {
  /**
   * A measured value.
   *
   * @param name with its unit
   * @param params {@code name=value} joined by {@code ;}, or empty
   */
  public record Metric(String name, String params, double value) {}

  /** The value of a metric; NaN if there is none. */
  public double metric(String name, String params) {
    return metrics.stream()
        .filter(metric -> metric.name().equals(name) && metric.params().equals(params))
        .mapToDouble(Metric::value)
        .findFirst()
        .orElse(Double.NaN);
  }
}
