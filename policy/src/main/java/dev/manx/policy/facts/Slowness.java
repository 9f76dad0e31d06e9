/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import dev.manx.policy.Ewma;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long a node's reads take over their forecasts: measured service time by forecast service
 * time, both smoothed over some thousand reads. 1 for a node that is as fast as forecast, 2 for one
 * that takes twice as long.
 *
 * <p>The quotient of two means and not the mean of quotients, so that a few small reads with bad
 * forecasts do not count as much as the large ones. Sizes cancel, which makes it quieter than a
 * mean service time: a node that has just served large values does not look slow.
 *
 * <p>Any thread may call every method; lock-free, allocates nothing.
 */
public final class Slowness {
  /** Reads over which both means are taken. */
  public static final int READS = 1_024;

  /** Fewer measured reads than this say nothing. */
  public static final int ENOUGH = 32;

  /** What 1 is in a fact. */
  public static final long UNIT = 1_000;

  private static final int MEASURED = 0;
  private static final int FORECAST = 1;
  private static final double WEIGHT = 1.0 / READS;

  // Both begin at 0, so the first reads weigh no more than later ones: in the quotient it cancels.
  private final AtomicLongArray means = new AtomicLongArray(2);
  private final AtomicLong reads = new AtomicLong();

  /**
   * Counts a read; one without a forecast does not count.
   *
   * @param serviceNanos how long it ran, without its wait
   * @param costNanos its forecast
   */
  public void measured(long serviceNanos, long costNanos) {
    if (costNanos > 0 && serviceNanos > 0) {
      Ewma.add(means, MEASURED, WEIGHT, serviceNanos);
      Ewma.add(means, FORECAST, WEIGHT, costNanos);
      reads.incrementAndGet();
    }
  }

  /** The quotient in thousandths, at least 1; 0 before {@link #ENOUGH} reads. */
  public long thousandths() {
    if (reads.get() < ENOUGH) {
      return 0;
    }
    return Math.max(1, Math.round(UNIT * mean(MEASURED) / mean(FORECAST)));
  }

  private double mean(int which) {
    return Double.longBitsToDouble(means.get(which));
  }
}
