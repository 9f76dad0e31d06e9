/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

/**
 * The goal that an arm must meet while its highest throughput is searched.
 *
 * @param percentile of all requests, 0 to 100
 * @param atMostNanos the latency it may have
 * @param tolerance the search stops when the failing rate is at most this fraction above the
 *     holding one
 * @param trials most rates tried in one search
 * @param repeats searches of each arm, interleaved with the others'
 */
public record SaturationGoal(
    double percentile, long atMostNanos, double tolerance, int trials, int repeats) {}
