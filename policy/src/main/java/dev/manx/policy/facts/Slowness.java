/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The ratio of a node's measured service time to the forecast service time, both smoothed. 1 for a
 * node that is as fast as forecast, 2 for a node that takes twice as long.
 *
 * <p>This is the quotient of two means and not the mean of quotients. Sizes cancel, which makes it
 * less noisy than a mean service time: a node that has just served large values does not look slow.
 * A read counts by the root of its forecast. Only quotients of nodes that serve the same kind of
 * reads are comparable: forecasts with random errors make all of them larger than 1.
 *
 * <p>Of the reads that one stall delays, at most {@link #MOST_OF_A_STALL} count.
 *
 * <p>Any thread may call every method; lock-free, allocates nothing. If several reads end at the
 * same moment, one is counted.
 */
/*
 * Two memories. The long one averages noise out: with forecasts wrong by a lognormal factor of
 * sigma 1, a thousand reads still show nodes of equal speed a tenth apart, and all coordinators
 * crowd the one that looks fast. The short one detects a change: when it differs from the long one
 * by more than five standard errors, estimated from the scatter of the reads, the long memory
 * restarts from it. Thus a change shows within some reads if forecasts are good, and noise of bad
 * forecasts is not taken for a change.
 *
 * The root prevents the fact from reinforcing itself. A read with a forecast that is far too long
 * avoids a node that counts as slow, because the read's cost is in the score, and goes to one that
 * counts as fast, which then looks even faster: such reads dominate sums of forecasts. With
 * forecasts off by sigma 1, nine equal nodes stayed between 0.84 and 1.2 permanently, at 1.4 times
 * the P99.9. Logarithms would work as well, but would hardly show that one read in ten of a node
 * misses its cache.
 *
 * The standard error is that of independent reads, but a stall delays all reads in progress. With n
 * of them, each far longer than usual, the test becomes n > 14 whatever their length. Cassandra has
 * 32 read threads, so one pause of half a second made a node with reads of 1 ms look 16 times as
 * slow, for thousands of reads. Therefore, once a read is far too long, only a few more of those
 * count that overlap it, end right after it and are far too long as well. Long reads outside a
 * stall, such as those that miss a cache, end at any time, and count.
 */
public final class Slowness {
  /** Reads in the short memory. */
  public static final int READS = 1_024;

  /** Most reads in the long memory. */
  public static final int MANY = 16_384;

  /** Fewer measured reads than this are not evaluated. */
  public static final int ENOUGH = 32;

  /** The fact's value for a ratio of 1. */
  public static final long UNIT = 1_000;

  /** Reads of a stall that count; four stalls in a short memory are a change. */
  public static final int MOST_OF_A_STALL = 4;

  private static final double STANDARD_ERRORS = 5;

  // Far too long: in multiples of what the node usually takes, and in standard deviations, so that
  // all such reads count where they are 16 in a thousand or more.
  private static final double FAR_TIMES = 8;
  private static final double FAR_DEVIATIONS = 8;

  // The end of a stall takes a sixteenth of its length.
  private static final int STALLS_END = 16;

  private final AtomicBoolean counting = new AtomicBoolean();
  private final Means recent = new Means();
  private final Means all = new Means();

  /** Mean square of the time beyond the forecast, in this node's time, weighted by the root. */
  private double squares;

  private int counted;
  private int ofStall;
  private long stallEndNanos;
  private long stallOverNanos;
  private volatile long thousandths;

  /** Means of both durations, each by the root of the forecast. */
  private static final class Means {
    double measured;
    double forecast;

    void add(double weight, double serviceNanos, double costNanos) {
      measured += weight * (serviceNanos - measured);
      forecast += weight * (costNanos - forecast);
    }

    double quotient() {
      return measured / forecast;
    }
  }

  /**
   * Counts a read; a read without a forecast does not count.
   *
   * @param endNanos when it ended, on the node's clock
   * @param serviceNanos how long it ran, without its wait
   * @param costNanos its coordinator's forecast: nodes that each use their own forecasts are not
   *     comparable
   */
  public void measured(long endNanos, long serviceNanos, long costNanos) {
    if (costNanos > 0 && serviceNanos > 0 && counting.compareAndSet(false, true)) {
      try {
        if (!isOfACountedStall(endNanos, serviceNanos, costNanos)) {
          count(serviceNanos, costNanos);
        }
      } finally {
        counting.set(false);
      }
    }
  }

  /**
   * Whether enough reads of this read's stall have counted; a read outside any stall may be the
   * first of one.
   */
  private boolean isOfACountedStall(long endNanos, long serviceNanos, long costNanos) {
    if (counted == 0 || !isFarTooLong(serviceNanos, costNanos)) {
      return false;
    }
    long startNanos = endNanos - serviceNanos;
    if (ofStall == 0 || startNanos - stallEndNanos >= 0 || endNanos - stallOverNanos > 0) {
      ofStall = 0;
      stallEndNanos = endNanos;
      stallOverNanos = endNanos + serviceNanos / STALLS_END;
    }
    if (ofStall == MOST_OF_A_STALL) {
      return true;
    }
    ofStall++;
    return false;
  }

  private boolean isFarTooLong(double readNanos, double costNanos) {
    double usualNanos = all.quotient() * costNanos;
    double beyond = readNanos - usualNanos;
    return readNanos > FAR_TIMES * usualNanos
        && beyond * beyond > FAR_DEVIATIONS * FAR_DEVIATIONS * squares * costNanos;
  }

  private void count(double readNanos, double readCostNanos) {
    double costNanos = Math.sqrt(readCostNanos);
    double serviceNanos = readNanos / costNanos;
    counted = Math.min(MANY, counted + 1);
    double weight = 1.0 / Math.min(READS, counted);
    recent.add(weight, serviceNanos, costNanos);
    all.add(1.0 / counted, serviceNanos, costNanos);
    double beyond = serviceNanos - all.quotient() * costNanos;
    squares += weight * (beyond * beyond - squares);
    if (counted >= READS && hasChanged()) {
      counted = READS;
      all.measured = recent.measured;
      all.forecast = recent.forecast;
    }
    thousandths = counted < ENOUGH ? 0 : Math.max(1, Math.round(UNIT * all.quotient()));
  }

  /** Whether the latest reads took longer or shorter than earlier ones by more than chance. */
  private boolean hasChanged() {
    double apart = recent.measured - all.quotient() * recent.forecast;
    // An exponential mean over n reads has the variance of one of them over 2n.
    return apart * apart * 2 * READS > STANDARD_ERRORS * STANDARD_ERRORS * squares;
  }

  /** The quotient in thousandths, at least 1; 0 before {@link #ENOUGH} reads. */
  public long thousandths() {
    return thousandths;
  }
}
