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
record Latencies(double p5, double p50, double p95, double p99) {
  /** As they were played. */
  static Latencies played(Outcome outcome) {
    var nanos = outcome.all().nanos();
    return new Latencies(
        nanos.getValueAtPercentile(5),
        nanos.getValueAtPercentile(50),
        nanos.getValueAtPercentile(95),
        nanos.getValueAtPercentile(99));
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
