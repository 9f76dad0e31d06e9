/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

/**
 * The goal for the search for an arm's highest throughput.
 *
 * @param percentile of all requests, 0 to 100
 * @param atMostNanos largest latency allowed
 * @param tolerance the search stops when the failing rate is at most this fraction above the best
 *     one
 * @param trials largest number of rates tried in one search
 * @param repeats searches of each arm, interleaved with the others'
 */
public record SaturationGoal(
    double percentile, long atMostNanos, double tolerance, int trials, int repeats) {}
