/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import java.util.ArrayList;
import java.util.List;

/**
 * The percentiles of request latency to improve, and the blocking counts near them: of the requests
 * ranked within half a band around each percentile, how many each backend blocked.
 *
 * @param quantiles each in (0, 1)
 * @param halfBand fraction of all requests on each side of a quantile; 0.005 around P99 is P98.5 to
 *     P99.5
 * @param enoughInBand requests in the band that give a usable count (with fewer, widen the window)
 */
public record Goals(List<Double> quantiles, double halfBand, int enoughInBand) {
  // Above 0 and below 100; the number of decimals is limited to the precision of a double.
  private static final String PERCENTILE = "(?!0*(\\.0*)?(,|$))[0-9]{1,2}(\\.[0-9]{1,9})?";
  private static final String PERCENTILES = "p%1$s(,p%1$s)*".formatted(PERCENTILE);

  static final Setting GOAL =
      Setting.text(
          "goal", "p99", PERCENTILES, "p99, or p90,p99", "percentiles of requests to improve");
  static final Setting HALF_BAND =
      Setting.share(
          "half-band", 0.005, 1e-5, 0.5, "part of the requests that count on each side of a goal");
  static final Setting ENOUGH =
      Setting.whole(
          "enough",
          50,
          1,
          1_000_000,
          "counted requests that a decision needs; the window is widened until it has" + " them");

  /** Default of {@code enoughInBand}. */
  public static final int ENOUGH_IN_BAND = 50;

  private static final double PERCENT = 100;

  /** Copies the list. */
  public Goals {
    quantiles = List.copyOf(quantiles);
    if (quantiles.isEmpty() || halfBand <= 0 || halfBand > 0.5) {
      throw new IllegalArgumentException("no goal, or a band of " + halfBand);
    }
  }

  /** The goals that a policy's settings name. */
  static Goals of(Values settings) {
    return parse(settings.word("goal"), settings.real("half-band"), settings.whole("enough"));
  }

  /**
   * Reads goals such as {@code p99} or {@code p90,p99}.
   *
   * @throws IllegalArgumentException if they are not written so
   */
  public static Goals parse(String text, double halfBand) {
    return parse(text, halfBand, ENOUGH_IN_BAND);
  }

  /**
   * Reads goals with a given {@code enoughInBand}.
   *
   * @throws IllegalArgumentException if they are not written so
   */
  public static Goals parse(String text, double halfBand, int enoughInBand) {
    if (!text.matches(PERCENTILES)) {
      throw new IllegalArgumentException(
          "goals are percentiles such as p99 or p90,p99, not '" + text + "'");
    }
    List<Double> quantiles = new ArrayList<>();
    for (String one : text.split(",")) {
      quantiles.add(Double.parseDouble(one.substring(1)) / PERCENT);
    }
    return new Goals(quantiles, halfBand, enoughInBand);
  }

  /** Requests in a window that put {@code enoughInBand} of them into the band. */
  public long enoughRequests() {
    return (long) Math.ceil(enoughInBand / (2 * halfBand));
  }

  /**
   * Request blocking counts (RBC, RobinHood section 3.1). Bins cut by the end of a band count in
   * proportion. Several goals have equal weight, whatever the number of requests near each.
   *
   * @return by backend; all 0 without requests
   */
  public double[] blockingCounts(WindowStatistics window) {
    double[] counts = new double[window.backends().size()];
    for (double quantile : quantiles) {
      double from = Math.max(0, quantile - halfBand) * window.requests();
      double to = Math.min(1, quantile + halfBand) * window.requests();
      double seen = 0;
      for (int bin = 0; bin < LatencyBins.REQUEST_BINS && seen < to; bin++) {
        long here = window.requestsIn(bin);
        double inside = Math.min(to, seen + here) - Math.max(from, seen);
        if (inside > 0) {
          for (int b = 0; b < counts.length; b++) {
            counts[b] += window.blockedBy(b, bin) * inside / here;
          }
        }
        seen += here;
      }
    }
    return counts;
  }
}
