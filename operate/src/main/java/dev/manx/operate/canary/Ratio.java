/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleBiFunction;

/**
 * The 95 % interval of the ratio of two groups' quantiles; below 1 the first is faster.
 *
 * @param low its lower end
 * @param high its upper end
 */
record Ratio(double low, double high) {
  /** An interval of 95 % leaves out so much at each end. */
  static final double TAIL = 0.025;

  /*
   * What is sure of either quantile by itself (Confidence) is combined for all pairs of buckets; the interval
   * leaves out the pairs with the least ratios and those with the greatest, 2.5 % of the weight each. Within
   * its bucket a quantile may lie anywhere: for the lower end of the interval it is taken where that is least,
   * for the upper end where it is greatest. So a difference smaller than a bucket, an eighth, is never claimed.
   *
   * That requests wait in the same queues does not make the interval too narrow where it says "no
   * difference": each request is drawn for its group by itself, so that without any effect both groups
   * are random parts of the same requests, whatever these have in common. How large an effect is, it says
   * too surely when few long queues decide about the slowest requests.
   */

  /**
   * Of latencies with Manx over those without. The lower end is 0 or the upper one infinite where
   * the requests are too few.
   */
  static Ratio of(Latencies with, Latencies without, double quantile) {
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

  /** Ratios and their weights, the least ratio first. */
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

  /** Whether there were requests enough to say anything. */
  boolean isKnown() {
    return low > 0 && Double.isFinite(high);
  }

  /** Whether the two differ. */
  boolean isDifference() {
    return high < 1 || low > 1;
  }
}
