/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import java.util.Arrays;

/** Medians. */
public final class Medians {
  private Medians() {}

  /**
   * The middle value; for an even count, the mean of the two middle values.
   *
   * @param values finite, not changed; empty gives NaN
   * @throws IllegalArgumentException if a value is not finite
   */
  public static double of(double[] values) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    for (double value : sorted) {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException("median of a value that is not finite: " + value);
      }
    }
    Arrays.sort(sorted);
    int n = sorted.length;
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }
}
