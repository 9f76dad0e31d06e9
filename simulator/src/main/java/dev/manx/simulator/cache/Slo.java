/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

/**
 * A goal for the latency of requests over the last minute.
 *
 * @param label of the quantile, {@code p99}
 * @param quantile 0 to 1
 * @param nanos largest latency allowed
 */
public record Slo(String label, double quantile, long nanos) {
  /** Metric: percent of the time in which a goal was missed; its params name the goal. */
  public static final String MISSED = "slo_violation_pct";

  /** Param: the quantile. */
  public static final String GOAL = "goal";

  /** Param: the largest latency allowed, milliseconds. */
  public static final String LIMIT_MS = "slo_ms";

  /** {@code goal=p99}. */
  public static String goal(String label) {
    return GOAL + "=" + label;
  }

  /** {@code goal=p99;slo_ms=150}. */
  public static String params(String label, String millis) {
    return goal(label) + ";" + LIMIT_MS + "=" + millis;
  }
}
