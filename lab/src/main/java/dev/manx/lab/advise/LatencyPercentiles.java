/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.simulator.Outcome;

/**
 * Percentiles of request latency at the coordinator, nanoseconds.
 *
 * @param p5 5th percentile
 * @param p50 the median
 * @param p95 95th percentile
 * @param p99 99th percentile
 */
record LatencyPercentiles(double p5, double p50, double p95, double p99) {
  /** The percentiles of a simulation. */
  static LatencyPercentiles played(Outcome outcome) {
    var nanos = outcome.all().nanos();
    return new LatencyPercentiles(
        nanos.getValueAtPercentile(5),
        nanos.getValueAtPercentile(50),
        nanos.getValueAtPercentile(95),
        nanos.getValueAtPercentile(99));
  }

  /**
   * The largest relative deviation of median, P95 and P99 from another's. The 5th percentile is
   * excluded, because the model is fitted to it.
   */
  double distanceFrom(LatencyPercentiles other) {
    return Math.max(
        Math.abs(p50 / other.p50 - 1),
        Math.max(Math.abs(p95 / other.p95 - 1), Math.abs(p99 / other.p99 - 1)));
  }
}
