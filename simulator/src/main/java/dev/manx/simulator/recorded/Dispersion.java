/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import java.util.ArrayList;
import java.util.List;

/**
 * The index of dispersion of counts: the variance of the number of arrivals in a window, divided by
 * its mean. It is 1 for Poisson arrivals at every scale; bursts raise it.
 *
 * @param windowNanos length of the windows
 * @param index as recorded
 * @param lo lower limit of the index of as many Poisson arrivals
 * @param hi upper limit
 */
public record Dispersion(long windowNanos, double index, double lo, double hi) {
  private static final long LONGEST_NANOS = 10_000_000_000L;
  private static final long SHORTEST_NANOS = 1_000_000L;
  private static final int FEWEST_WINDOWS = 20;
  private static final double FEWEST_ARRIVALS = 100;
  private static final double FEWEST_IN_A_WINDOW = 0.1;

  /**
   * Quantile of the normal distribution for 99.9 %: one in 200 Poisson recordings is mistaken for
   * another distribution at one of five scales.
   */
  private static final double Z = 3.29;

  /** Whether Poisson arrivals would not have this index. */
  public boolean deviates() {
    return index < lo || index > hi;
  }

  /**
   * The index at 1 ms, 10 ms and so on to 10 s, where the recording is long enough. For several
   * lines it is the index of their sum, if they are independent.
   */
  static List<Dispersion> of(List<Timeline> lines) {
    List<Dispersion> scales = new ArrayList<>();
    if (lines.isEmpty()) {
      return scales;
    }
    for (long window = SHORTEST_NANOS; window <= LONGEST_NANOS; window *= 10) {
      long windows = shortest(lines) / window;
      double mean = lines.stream().mapToDouble(Timeline::rate).sum() * window;
      if (windows >= FEWEST_WINDOWS
          && mean >= FEWEST_IN_A_WINDOW
          && mean * windows >= FEWEST_ARRIVALS) {
        scales.add(at(lines, window));
      }
    }
    return scales;
  }

  private static long shortest(List<Timeline> lines) {
    return lines.stream().mapToLong(Timeline::spanNanos).min().orElseThrow();
  }

  private static Dispersion at(List<Timeline> lines, long windowNanos) {
    double means = 0;
    double variances = 0;
    double inverse = 0;
    for (Timeline line : lines) {
      int[] counts = counts(line, windowNanos);
      double mean = 0;
      for (int count : counts) {
        mean += count;
      }
      mean /= counts.length;
      double squares = 0;
      for (int count : counts) {
        squares += (count - mean) * (count - mean);
      }
      means += mean;
      variances += squares / (counts.length - 1);
      inverse += mean * mean / (counts.length - 1);
    }
    double freedom = means * means / inverse;
    return new Dispersion(windowNanos, variances / means, limit(freedom, -Z), limit(freedom, Z));
  }

  private static int[] counts(Timeline line, long windowNanos) {
    int[] counts = new int[(int) (line.spanNanos() / windowNanos)];
    for (long at : line.atNanos()) {
      long window = at / windowNanos;
      if (window < counts.length) {
        counts[(int) window]++;
      }
    }
    return counts;
  }

  /** A quantile of the chi-squared distribution over its mean (Wilson and Hilferty, 1931). */
  private static double limit(double freedom, double z) {
    double variance = 2 / (9 * freedom);
    return Math.pow(1 - variance + z * Math.sqrt(variance), 3);
  }
}
