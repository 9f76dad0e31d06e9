/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

/**
 * A value with its 95 % interval, or with a range of its rounds if they are too few for one.
 *
 * @param value the estimate, in the caller's unit; NaN without data
 * @param lo lower end of the interval, NaN like {@code value}
 * @param hi upper end of the interval, NaN like {@code value}
 * @param rounds number of rounds behind it
 */
public record Estimate(double value, double lo, double hi, int rounds) {
  /** No measurement. */
  public static final Estimate NONE = new Estimate(Double.NaN, Double.NaN, Double.NaN, 0);

  /**
   * Fewest rounds for an interval: with five rounds, even the lowest and the highest value have the
   * true median between them in less than 95 % of cases (93.75 %). The bootstrap interval of six is
   * hardly better: see {@link Bootstrap}.
   */
  public static final int MIN_ROUNDS = 6;

  /** Whether the rounds are too few for a 95 % interval. */
  public boolean isRange() {
    return isRange(rounds);
  }

  /** Whether a number of rounds is too small for a 95 % interval. */
  public static boolean isRange(int rounds) {
    return rounds < MIN_ROUNDS;
  }

  public boolean exists() {
    return !Double.isNaN(value);
  }

  /** Whether the interval, ends included, contains x. */
  public boolean contains(double x) {
    return lo <= x && x <= hi;
  }
}
