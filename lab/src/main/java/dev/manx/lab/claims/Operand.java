/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The source of one number in a result folder.
 *
 * @param arm the arm
 * @param requestClass {@code all} or another class
 * @param load the load as named in the experiment; empty for the only one
 * @param quantity {@code P50 P90 P95 P99 P99.9 mean max} of latency, {@code throughput}, or the
 *     name of a metric
 * @param params of a sweep's point or of the metric, by name; empty for none
 */
record Operand(
    String arm, String requestClass, String load, String quantity, Map<String, String> params) {
  /** Latencies and the names of their metrics at a point of a sweep. */
  static final Map<String, String> LATENCIES =
      Map.of(
          "P50", "latency_p50_us",
          "P90", "latency_p90_us",
          "P95", "latency_p95_us",
          "P99", "latency_p99_us",
          "P99.9", "latency_p999_us",
          "mean", "latency_mean_us",
          "max", "latency_max_us");

  /** Requests answered per second. */
  static final String THROUGHPUT = "throughput";

  /** Copies the params in their order, which is the order of printing. */
  Operand {
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
  }

  /** Whether it is a latency, in milliseconds. */
  boolean isLatency() {
    return LATENCIES.containsKey(quantity);
  }

  /** Whether it is in summary.csv. */
  boolean isSummary() {
    return params.isEmpty() && (isLatency() || quantity.equals(THROUGHPUT));
  }

  /** Its name in metrics.csv. */
  String metric() {
    return quantity.equals(THROUGHPUT)
        ? "throughput_per_s"
        : LATENCIES.getOrDefault(quantity, quantity);
  }
}
