/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

/**
 * How much is asked of the cluster.
 *
 * @param label as written: {@code 70%}, {@code 120/s}
 * @param fraction of the modelled capacity, or NaN for an absolute rate
 * @param requestsPerSecond absolute rate, or NaN for a fraction
 */
public record Load(String label, double fraction, double requestsPerSecond) {}
