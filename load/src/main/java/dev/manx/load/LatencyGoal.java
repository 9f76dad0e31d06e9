/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import org.HdrHistogram.Histogram;

/**
 * The goal for a rate: a percentile of all requests at or below a limit, few failures and no
 * growing backlog.
 *
 * @param percentile 0..100, for example 99
 * @param limitNanos largest latency allowed
 * @param maxFailedShare share of requests that may fail, time out or not be sent
 */
public record LatencyGoal(double percentile, long limitNanos, double maxFailedShare) {
  /** Checks the ranges. */
  public LatencyGoal {
    if (!(percentile > 0 && percentile <= 100) || limitNanos <= 0 || !(maxFailedShare >= 0)) {
      throw new IllegalArgumentException(
          "a goal has a percentile in (0, 100], a limit above 0 and a share of at least 0, not "
              + percentile
              + ", "
              + limitNanos
              + " ns, "
              + maxFailedShare);
    }
  }

  /** Judges a run. */
  public SaturationSearch.Trial judge(double requestsPerSecond, LoadResult result) {
    ClassResult all = result.all();
    Histogram latency = all.latencyNanos();
    long nanos = latency.getTotalCount() == 0 ? 0 : latency.getValueAtPercentile(percentile);
    boolean holds =
        all.ok() > 0
            && nanos <= limitNanos
            && all.failed() <= maxFailedShare * all.offered()
            && !result.backlog().growing();
    return new SaturationSearch.Trial(requestsPerSecond, all.throughputPerSecond(), nanos, holds);
  }
}
