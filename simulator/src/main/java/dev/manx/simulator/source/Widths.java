/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

/**
 * A kind of request: its share of all requests and how many reads it has.
 *
 * @param share of all requests, in (0, 1]
 * @param probability entry i is the probability of i + 1 reads
 * @param largeShare share of its reads whose values are large, rounded to whole reads; negative
 *     where the sizes alone decide
 */
public record Widths(double share, double[] probability, double largeShare) {
  private static final int BISECTIONS = 200;

  /** Always the same number of reads. */
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
