/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

/**
 * A goal for the latency of requests over the last minute.
 *
 * @param label of the quantile, {@code p99}
 * @param quantile 0 to 1
 * @param nanos largest latency allowed
 */
public record Slo(String label, double quantile, long nanos) {}
