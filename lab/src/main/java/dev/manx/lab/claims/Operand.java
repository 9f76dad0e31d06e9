/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.experiment.Measured;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

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
  /** Requests answered per second. */
  static final String THROUGHPUT = "throughput";

  /** Copies the params in their order, which is the order of printing. */
  Operand {
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
  }

  /** The latency that the operand names, if any. */
  Optional<LatencyStatistic> latency() {
    return LatencyStatistic.of(quantity);
  }

  /** Whether it is a latency, in milliseconds. */
  boolean isLatency() {
    return latency().isPresent();
  }

  /** Whether the operand's number is in summary.csv. */
  boolean isSummary() {
    return params.isEmpty() && (isLatency() || quantity.equals(THROUGHPUT));
  }

  /** Its name in metrics.csv. */
  String metric() {
    return quantity.equals(THROUGHPUT)
        ? Measured.THROUGHPUT
        : latency().map(LatencyStatistic::metric).orElse(quantity);
  }
}
