/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import java.util.Collection;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** A percentile of all rounds' requests together, with its interval. */
public final class PooledResult {
  private static final double P99 = 99;
  private static final double NANOS_PER_US = 1e3;

  private PooledResult() {}

  /**
   * The percentile of the merged histograms with its 95 % interval: whole rounds are drawn with
   * replacement, and the percentile is taken of each sample.
   *
   * @param rounds one histogram per round, not changed; empty ones are left out
   * @param percentile in [0, 100]
   * @return in the histograms' unit; {@link Estimate#NONE} without recorded values
   */
  public static Estimate of(Collection<Histogram> rounds, double percentile, Bootstrap bootstrap) {
    List<Histogram> recorded = rounds.stream().filter(round -> round.getTotalCount() > 0).toList();
    if (recorded.isEmpty()) {
      return Estimate.NONE;
    }
    Histogram all = merge(recorded);
    double value = all.getValueAtPercentile(percentile);
    if (recorded.size() == 1) {
      return new Estimate(value, value, value, 1);
    }
    Tails tails = Tails.of(recorded, all);
    return bootstrap.of(value, recorded.size(), copies -> tails.percentile(copies, percentile));
  }

  /** P99 in microseconds of histograms in nanoseconds, as in {@code summary.csv}. */
  public static Estimate p99Us(Collection<Histogram> rounds, Bootstrap bootstrap) {
    Estimate nanos = of(rounds, P99, bootstrap);
    return new Estimate(
        nanos.value() / NANOS_PER_US,
        nanos.lo() / NANOS_PER_US,
        nanos.hi() / NANOS_PER_US,
        nanos.rounds());
  }

  /**
   * All values of all histograms in a new one, which grows as needed. Its resolution is that of the
   * finest histogram: with a still finer one its percentiles would differ from those of the rounds.
   */
  public static Histogram merge(Collection<Histogram> histograms) {
    int digits =
        histograms.stream().mapToInt(Histogram::getNumberOfSignificantValueDigits).max().orElse(3);
    long lowest =
        histograms.stream().mapToLong(Histogram::getLowestDiscernibleValue).min().orElse(1);
    Histogram all = new Histogram(lowest, 2 * lowest, digits);
    all.setAutoResize(true);
    histograms.forEach(all::add);
    return all;
  }

  /**
   * The number of requests of each round at or above each value: one pass over the histograms, so
   * that a resample costs a binary search.
   *
   * @param values that any round recorded, ascending
   * @param atLeast by round and value; at index 0 the round's count
   */
  private record Tails(long[] values, long[][] atLeast) {
    static Tails of(List<Histogram> rounds, Histogram all) {
      long[] values = new long[distinct(all)];
      int filled = 0;
      for (HistogramIterationValue step : all.recordedValues()) {
        values[filled++] = step.getValueIteratedTo();
      }
      long[][] atLeast = new long[rounds.size()][values.length];
      for (int round = 0; round < rounds.size(); round++) {
        Histogram own = rounds.get(round);
        long above = 0;
        for (int i = values.length - 1; i >= 0; i--) {
          // Beyond its range a histogram returns its last count.
          above += values[i] > own.getMaxValue() ? 0 : own.getCountAtValue(values[i]);
          atLeast[round][i] = above;
        }
      }
      return new Tails(values, atLeast);
    }

    private static int distinct(Histogram all) {
      int count = 0;
      for (HistogramIterationValue ignored : all.recordedValues()) {
        count++;
      }
      return count;
    }

    /**
     * The percentile that a histogram of these rounds, with the given multiplicities, would give.
     */
    double percentile(int[] copies, double percentile) {
      long total = count(copies, 0);
      long rank = Math.max(1, (long) Math.ceil(Math.nextDown(percentile) / 100 * total));
      // The largest value that total - rank + 1 requests reach.
      int low = 0;
      int high = values.length - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (count(copies, middle) >= total - rank + 1) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return values[low];
    }

    private long count(int[] copies, int value) {
      long count = 0;
      for (int round = 0; round < copies.length; round++) {
        count += copies[round] * atLeast[round][value];
      }
      return count;
    }
  }
}
