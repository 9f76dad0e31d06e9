/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

/** The binomial distribution, for confidence intervals of quantiles. */
final class Binomial {
  private static final double NORMAL_FROM_VARIANCE = 10_000;
  private static final double BEYOND = 10;
  private static final int STEPS = 64;

  private Binomial() {}

  /**
   * The probability of fewer than d successes, plus half that of exactly d (the mid-p convention).
   * Above a variance of 10 000 it is approximated by the normal distribution, accurate to three
   * digits.
   *
   * @param n trials
   * @param p of each, above 0 and below 1
   */
  static double mid(long n, double p, long d) {
    double mean = n * p;
    double deviation = Math.sqrt(mean * (1 - p));
    double off = (d - mean) / deviation;
    if (Math.abs(off) > BEYOND && deviation > BEYOND) {
      return off < 0 ? 0 : 1;
    }
    if (deviation * deviation > NORMAL_FROM_VARIANCE) {
      return normal(off);
    }
    double sum = 0;
    double log = n * Math.log1p(-p);
    for (long k = 0; k < d; k++) {
      sum += Math.exp(log);
      log += Math.log((double) (n - k) / (k + 1)) + Math.log(p) - Math.log1p(-p);
    }
    return Math.min(1, sum + Math.exp(log) / 2);
  }

  /** The standard normal distribution, by Simpson's rule from the middle. */
  static double normal(double x) {
    double width = x / STEPS;
    double sum = density(0) + density(x);
    for (int i = 1; i < STEPS; i++) {
      sum += density(i * width) * (i % 2 == 0 ? 2 : 4);
    }
    return 0.5 + sum * width / 3;
  }

  private static double density(double x) {
    return Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  }
}
