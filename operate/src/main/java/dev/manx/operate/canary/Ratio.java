/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleBiFunction;

/**
 * The 95 % interval of the ratio of two groups' quantiles; below 1 the first group is faster.
 *
 * @param low its lower end
 * @param high its upper end
 */
record Ratio(double low, double high) {
  /** The probability excluded at each end of a 95 % interval. */
  static final double TAIL = 0.025;

  private static final int MOST_DIGITS = 6;

  /* The confidence distributions of both quantiles (Confidence) are combined over all pairs of
   * buckets. The interval excludes the pairs with the smallest and the largest ratios, 2.5 % of the
   * weight each. A quantile may lie anywhere in its bucket: the lower end of the interval uses the
   * smallest possible ratio, the upper end the largest. So a difference smaller than a bucket, an
   * eighth, is never claimed.
   *
   * Shared queues do not make the interval too narrow for the verdict "no difference": each request
   * is assigned to its group independently, so without an effect both groups are random samples of
   * the same requests, whatever their correlation. The size of an effect is stated with too much
   * confidence if a few long queues dominate the slowest requests. */

  /**
   * The ratio of latencies with Manx to those without. With too few requests the lower end is 0 or
   * the upper end infinite.
   */
  static Ratio of(LatencyCounts with, LatencyCounts without, double quantile) {
    Confidence above = Confidence.of(with, quantile);
    Confidence below = Confidence.of(without, quantile);
    List<double[]> least = pairs(above, below, (a, b) -> b.to() == 0 ? 0 : a.from() / b.to());
    List<double[]> most = pairs(above, below, (a, b) -> b.from() == 0 ? inf() : a.to() / b.from());
    double seen = 0;
    double low = 0;
    for (double[] pair : least) {
      low = pair[0];
      seen += pair[1];
      if (seen > TAIL) {
        break;
      }
    }
    seen = 0;
    double high = 0;
    for (int i = most.size() - 1; i >= 0; i--) {
      high = most.get(i)[0];
      seen += most.get(i)[1];
      if (seen > TAIL) {
        break;
      }
    }
    return new Ratio(low, high);
  }

  private static double inf() {
    return Double.POSITIVE_INFINITY;
  }

  /** Ratios and their weights, smallest ratio first. */
  private static List<double[]> pairs(
      Confidence above,
      Confidence below,
      ToDoubleBiFunction<Confidence.Place, Confidence.Place> ratio) {
    List<double[]> pairs = new ArrayList<>();
    for (Confidence.Place a : above.places()) {
      for (Confidence.Place b : below.places()) {
        double value = ratio.applyAsDouble(a, b);
        pairs.add(new double[] {value, a.weight() * b.weight()});
      }
    }
    pairs.sort(Comparator.comparingDouble(pair -> pair[0]));
    return pairs;
  }

  /** Whether there were enough requests for a result. */
  boolean isKnown() {
    return low > 0 && Double.isFinite(high);
  }

  /** Whether the two groups differ. */
  boolean isDifference() {
    return high < 1 || low > 1;
  }

  /** {@code 0.93 to 0.997: faster with Manx}, or that no difference is shown. */
  String words() {
    String ends = number(low) + " to " + number(high);
    if (!isDifference()) {
      return ends + ", so no difference is shown";
    }
    return ends + (high < 1 ? ": faster" : ": slower") + " with Manx";
  }

  /** With as many digits as show on which side of 1 it is. */
  private static String number(double ratio) {
    String text = "";
    for (int digits = 2; digits <= MOST_DIGITS; digits++) {
      text = String.format(Locale.ROOT, "%." + digits + "f", ratio);
      if (Double.compare(Double.parseDouble(text), 1) == Double.compare(ratio, 1)) {
        return text;
      }
    }
    return text;
  }
}
