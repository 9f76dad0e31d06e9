/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import java.util.Collection;
import org.HdrHistogram.Histogram;

/**
 * One percentile of an arm: of all its rounds together, and its median over rounds beside.
 *
 * @param pooled the percentile of the merged histograms, in the histograms' unit; NaN if they are
 *     empty
 * @param overRounds median over rounds of each round's own percentile, with its 95 % interval;
 *     rounds without a value are left out
 */
public record PooledResult(double pooled, Estimate overRounds) {
  /* The two differ: a round of 800 requests hardly sees its P99.9, and one bad round moves the pooled
   * P99.9 but not the median over rounds. The pool says what users saw, the interval how repeatable. */

  /**
   * Merges the rounds of one arm and class.
   *
   * @param rounds one histogram per round, not changed
   * @param percentile in [0, 100]
   */
  public static PooledResult of(
      Collection<Histogram> rounds, double percentile, Bootstrap bootstrap) {
    Histogram all = merge(rounds);
    double[] each =
        rounds.stream()
            .filter(round -> round.getTotalCount() > 0)
            .mapToDouble(round -> round.getValueAtPercentile(percentile))
            .toArray();
    double pooled = each.length == 0 ? Double.NaN : all.getValueAtPercentile(percentile);
    return new PooledResult(pooled, bootstrap.median(each));
  }

  /** All values of all histograms in a new one, which grows as needed. */
  public static Histogram merge(Collection<Histogram> histograms) {
    int digits =
        histograms.stream().mapToInt(Histogram::getNumberOfSignificantValueDigits).max().orElse(3);
    Histogram all = new Histogram(digits);
    histograms.forEach(all::add);
    return all;
  }
}
