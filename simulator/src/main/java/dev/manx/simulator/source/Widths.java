/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;

/**
 * A kind of request: its share of all requests and its distribution of reads.
 *
 * @param share of all requests, in (0, 1]
 * @param probability entry i is the probability of i + 1 reads
 * @param largeShare share of its reads whose values are large, rounded to whole reads, while those
 *     of the others are small; negative if the sizes alone decide
 */
public record Widths(double share, double[] probability, double largeShare) {
  private static final int BISECTIONS = 200;

  /** Number of deviations beyond which a normal distribution has a mass below 1e-15. */
  private static final double FAR = 8;

  /** A constant number of reads. */
  public static Widths fixed(double share, int reads, double largeShare) {
    double[] p = new double[reads];
    p[reads - 1] = 1;
    return new Widths(share, p, largeShare);
  }

  /**
   * One read with a given share; else the floor of a bounded Pareto on [2, max + 1) whose exponent
   * is solved for the mean over all requests.
   *
   * @throws IllegalArgumentException if no exponent gives that mean
   */
  public static Widths boundedPareto(double single, double mean, int max) {
    double low = 1e-3;
    double high = 20;
    if (mean >= mean(pareto(single, max, low)) || mean <= mean(pareto(single, max, high))) {
      throw new IllegalArgumentException(
          "a mean of " + mean + " with " + single + " single and at most " + max + " reads");
    }
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (mean(pareto(single, max, middle)) > mean) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return new Widths(1, pareto(single, max, (low + high) / 2), -1);
  }

  /**
   * A geometric distribution from 1, cut off at a maximum, with a given mean.
   *
   * @throws IllegalArgumentException if the mean cannot be reached
   */
  public static Widths geometric(double mean, int max) {
    return new Widths(1, solved(mean, 0, 1 - 1e-12, ratio -> powers(ratio, max)), -1);
  }

  /**
   * A lognormal distribution, rounded up to whole reads and cut off at a maximum, with a given
   * mean.
   *
   * @param sigma of the logarithm
   * @throws IllegalArgumentException if the mean cannot be reached
   */
  public static Widths lognormal(double mean, double sigma, int max) {
    return new Widths(1, solved(mean, -20, 20, mu -> logarithms(mu, sigma, max)), -1);
  }

  /**
   * A listed or recorded distribution.
   *
   * @param weights by number of reads; they need not add up to 1
   * @throws IllegalArgumentException if all weights are missing or zero
   */
  public static Widths listed(Map<Integer, Double> weights) {
    double sum = weights.values().stream().mapToDouble(Double::doubleValue).sum();
    if (sum <= 0) {
      throw new IllegalArgumentException("no requests at all");
    }
    double[] p = new double[weights.keySet().stream().mapToInt(reads -> reads).max().orElseThrow()];
    weights.forEach((reads, weight) -> p[reads - 1] = weight / sum);
    return new Widths(1, p, -1);
  }

  /** The distribution with a given mean, from a family ordered by its parameter. */
  private static double[] solved(
      double mean, double least, double most, DoubleFunction<double[]> family) {
    double low = least;
    double high = most;
    if (mean < mean(family.apply(low)) || mean > mean(family.apply(high))) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s with at most %d reads", mean, family.apply(low).length));
    }
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (mean(family.apply(middle)) < mean) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return family.apply((low + high) / 2);
  }

  private static double[] powers(double ratio, int max) {
    double[] p = new double[max];
    double power = 1;
    for (int i = 0; i < max; i++) {
      p[i] = power;
      power *= ratio;
    }
    return normalised(p);
  }

  private static double[] logarithms(double mu, double sigma, int max) {
    double[] p = new double[max];
    double below = 0;
    for (int reads = 1; reads <= max; reads++) {
      double upTo = reads == max ? 1 : normal((Math.log(reads) - mu) / sigma);
      // Two equal shares may differ in their last digit.
      p[reads - 1] = Math.max(0, upTo - below);
      below = upTo;
    }
    return p;
  }

  /**
   * Share of the standard normal distribution up to a point, by its Taylor series (Marsaglia,
   * Evaluating the Normal Distribution, 2004).
   */
  private static double normal(double z) {
    if (Math.abs(z) > FAR) {
      return z < 0 ? 0 : 1;
    }
    double term = z;
    double sum = z;
    double before = Double.NaN;
    for (int i = 3; sum != before; i += 2) {
      before = sum;
      term *= z * z / i;
      sum += term;
    }
    return 0.5 + sum * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
  }

  private static double[] normalised(double[] p) {
    double sum = Arrays.stream(p).sum();
    for (int i = 0; i < p.length; i++) {
      p[i] /= sum;
    }
    return p;
  }

  /** Whether requests have a given share of large values; otherwise the sizes alone decide. */
  public boolean specifiesLarge() {
    return largeShare >= 0;
  }

  /** The most reads. */
  int widest() {
    int reads = probability.length;
    while (probability[reads - 1] == 0) {
      reads--;
    }
    return reads;
  }

  /** Mean number of reads. */
  public double mean() {
    return mean(probability);
  }

  private static double[] pareto(double single, int max, double exponent) {
    double[] p = new double[max];
    double whole = 1 - Math.pow(2.0 / (max + 1), exponent);
    p[0] = single;
    for (int reads = 2; reads <= max; reads++) {
      double mass = Math.pow(2.0 / reads, exponent) - Math.pow(2.0 / (reads + 1), exponent);
      p[reads - 1] = (1 - single) * mass / whole;
    }
    return p;
  }

  private static double mean(double[] probability) {
    double sum = 0;
    for (int i = 0; i < probability.length; i++) {
      sum += (i + 1) * probability[i];
    }
    return sum;
  }
}
