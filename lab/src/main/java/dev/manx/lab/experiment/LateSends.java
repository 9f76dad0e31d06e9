/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.load.LoadResult;

/**
 * The rule for a load generator that is late: latencies count from the intended start, so they
 * include its own delay, which is not the measured system's.
 */
public final class LateSends {
  /** Metric: P99 of the delay, microseconds. */
  public static final String METRIC = LoadResult.LAG_P99;

  /** Largest part of the median latency that may be delay. */
  private static final double MOST_SHARE = 0.1;

  private LateSends() {}

  /**
   * Whether the delay is a considerable part of the latencies.
   *
   * @param lagUs P99 of the delay
   * @param medianUs median latency
   */
  public static boolean matter(double lagUs, double medianUs) {
    return lagUs > MOST_SHARE * medianUs;
  }
}
