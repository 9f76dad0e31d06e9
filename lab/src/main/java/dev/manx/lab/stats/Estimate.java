/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

/**
 * A value with its 95 % interval.
 *
 * @param value the estimate, in the caller's unit; NaN if there was nothing to estimate from
 * @param lo lower end of the interval, NaN like {@code value}
 * @param hi upper end of the interval, NaN like {@code value}
 * @param rounds how many rounds it rests on
 */
public record Estimate(double value, double lo, double hi, int rounds) {
  /** Nothing was measured. */
  public static final Estimate NONE = new Estimate(Double.NaN, Double.NaN, Double.NaN, 0);

  /** Whether there is a value. */
  public boolean exists() {
    return !Double.isNaN(value);
  }

  /** Whether the interval, ends included, holds x. */
  public boolean contains(double x) {
    return lo <= x && x <= hi;
  }
}
