/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How long a node's reads take over their forecasts: measured service time by forecast service
 * time, both smoothed. 1 for a node that is as fast as forecast, 2 for one that takes twice as
 * long.
 *
 * <p>The quotient of two means and not the mean of quotients. Sizes cancel, which makes it quieter
 * than a mean service time: a node that has just served large values does not look slow. A read
 * counts by the root of its forecast. Only the quotients of nodes that serve reads of one kind say
 * anything: forecasts that are wrong by chance make it larger than 1 at all of them.
 *
 * <p>Any thread may call every method; lock-free, allocates nothing. Of reads that end at the same
 * moment one is counted.
 */
/*
 * Two memories. The long one keeps chance out: with forecasts wrong by a lognormal factor of sigma 1, a
 * thousand reads put nodes of one speed a tenth apart, and all coordinators crowd the one that looks
 * fast. The short one notices a change: where it leaves the long one by more than chance explains, five
 * standard errors by the scatter of the reads themselves, the long memory begins anew from it. So good
 * forecasts are followed within some reads and bad ones not taken for a change.
 *
 * The root keeps the fact from confirming itself. A read that is forecast far too long avoids a node that
 * counts as slow, because its own cost is in the score, and goes to one that counts as fast, which then
 * looks even faster: in sums of forecasts such reads decide. With forecasts off by sigma 1, nine equal
 * nodes stayed between 0.84 and 1.2 for good, at 1.4 times the P99.9. Logarithms would do as well, but
 * would hardly see that one read in ten of a node misses its cache.
 */
public final class Slowness {
  /** Reads in the short memory. */
  public static final int READS = 1_024;

  /** Most reads in the long memory. */
  public static final int MANY = 16_384;

  /** Fewer measured reads than this say nothing. */
  public static final int ENOUGH = 32;

  /** What 1 is in a fact. */
  public static final long UNIT = 1_000;

  private static final double STANDARD_ERRORS = 5;

  private final AtomicBoolean counting = new AtomicBoolean();
  private final Means recent = new Means();
  private final Means all = new Means();

  /** Mean square of what reads took beyond their forecasts in this node's time, by the root. */
  private double squares;

  private int counted;
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
   * Counts a read; one without a forecast does not count.
   *
   * @param serviceNanos how long it ran, without its wait
   * @param costNanos its forecast
   */
  public void measured(long serviceNanos, long costNanos) {
    if (costNanos > 0 && serviceNanos > 0 && counting.compareAndSet(false, true)) {
      try {
        count(serviceNanos, costNanos);
      } finally {
        counting.set(false);
      }
    }
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

  /** Whether the last reads took longer or shorter than those before by more than chance. */
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
