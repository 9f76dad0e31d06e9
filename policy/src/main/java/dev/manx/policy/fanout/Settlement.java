/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

/**
 * The service times of reads over their forecasts, as one factor over some thousand reads, the last
 * ones counting most. Sequential; constant memory.
 */
public final class Settlement {
  /** With fewer reads than this the factor is 1. */
  private static final int FEWEST = 100;

  private static final double KEPT = 0.999;

  private double forecastNanos;
  private double servedNanos;
  private int reads;

  /** Records a read's forecast and its service time. */
  public void served(long costNanos, long serviceNanos) {
    forecastNanos = KEPT * forecastNanos + costNanos;
    servedNanos = KEPT * servedNanos + serviceNanos;
    reads = Math.min(reads + 1, FEWEST);
  }

  /** The factor by which a forecast must be multiplied. */
  public double factor() {
    return reads < FEWEST || forecastNanos <= 0 ? 1 : servedNanos / forecastNanos;
  }
}
