/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.load.LoadResult;
import dev.manx.workload.result.Recovery;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.DoubleStream;

/** How the values of a metric in several rounds become one. */
public enum Pooling {
  /** The median, with its interval. */
  MEDIAN,
  /** The sum, for counts: a median hides the few rounds in which something failed. */
  SUM,
  /** The mean, for shares and flags, for the same reason. */
  MEAN,
  /**
   * The highest, for events that are rare in a simulation's run, and for the highest values of
   * rounds.
   */
  MAXIMUM;

  /** Prefix of the plugin's counters. */
  public static final String COUNTER = "manx_";

  /** Marks a turn in which other programs used too much of the machine. */
  static final String NOISY = "noisy";

  /** Failures besides those of the load generator and of the plugin. */
  private static final Set<String> SUMS = Set.of("unfinished", "failed_ticks", "failed_moves");

  private static final Set<String> MEANS = Set.of(Recovery.NOT_RECOVERED, Measured.FAILED, NOISY);

  private static final Set<String> MAXIMA =
      Set.of("reads_beyond_order", "reads_lost", "checks_failed", "schedule_lag_max_us");

  /**
   * The pooling of a metric. Its name decides, because a result file contains no other property of
   * it.
   *
   * @param metric as in {@code metrics.csv}
   */
  public static Pooling of(String metric) {
    if (metric.startsWith(COUNTER)
        || LoadResult.FAILURES.contains(metric)
        || SUMS.contains(metric)) {
      return SUM;
    }
    if (MEANS.contains(metric)) {
      return MEAN;
    }
    return MAXIMA.contains(metric) ? MAXIMUM : MEDIAN;
  }

  /**
   * One value from those of all rounds; only a median has an interval.
   *
   * @param rounds empty gives {@link Estimate#NONE}
   */
  public Estimate pooled(double[] rounds, Bootstrap bootstrap) {
    if (rounds.length == 0) {
      return Estimate.NONE;
    }
    DoubleStream all = Arrays.stream(rounds);
    return switch (this) {
      case MEDIAN -> bootstrap.median(rounds);
      case SUM -> single(all.sum(), rounds);
      case MEAN -> single(all.average().orElseThrow(), rounds);
      case MAXIMUM -> single(all.max().orElseThrow(), rounds);
    };
  }

  private static Estimate single(double value, double[] rounds) {
    return new Estimate(value, Double.NaN, Double.NaN, rounds.length);
  }
}
