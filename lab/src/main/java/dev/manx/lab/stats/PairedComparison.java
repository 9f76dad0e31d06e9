/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import java.util.Map;

/**
 * Compares an arm with the baseline, round by round.
 *
 * <p>Rounds are blocks: the arms of one round ran one after another on one cluster with the same
 * requests, so the ratio inside a round is free of drift between rounds.
 *
 * @param verdict the conclusion
 * @param ratio median over rounds of arm / baseline with its 95 % interval, below 1 if the arm is
 *     lower; given for {@link Verdict#TOO_FEW_ROUNDS} and {@link Verdict#TOO_FEW_REQUESTS} too (for
 *     display, not as a result), {@link Estimate#NONE} for {@link Verdict#SATURATED} and {@link
 *     Verdict#FAILED}
 */
public record PairedComparison(Verdict verdict, Estimate ratio) {
  private static final PairedComparison FAILED =
      new PairedComparison(Verdict.FAILED, Estimate.NONE);

  /** Fewest rounds for a verdict. */
  public static final int MIN_ROUNDS = 8;

  /**
   * The logarithm of a ratio to 0. It is finite, so that the mean of two is a number, and so large
   * that the ratio for it or for half of it is infinite.
   */
  private static final double ENDLESS = 1e6;

  /**
   * Compares two arms over the rounds that both have.
   *
   * <p>The median is taken of the ratios' logarithms, so that swapping the arms inverts the result
   * exactly; for an odd number of rounds it is the median ratio itself.
   *
   * <p>An arm without a single answer in a round has the worst value there, 0: its ratio is 0, and
   * infinite for the other arm.
   *
   * @param arm value per block, finite and at least 0
   * @param baseline likewise; blocks missing in either, or 0 in both, are left out
   * @param saturated whether either arm was saturated
   * @throws IllegalArgumentException if a value of a shared block is negative or not finite
   */
  public static <K> PairedComparison of(
      Map<K, Double> arm, Map<K, Double> baseline, boolean saturated, Bootstrap bootstrap) {
    if (saturated) {
      return new PairedComparison(Verdict.SATURATED, Estimate.NONE);
    }
    double[] logs =
        arm.entrySet().stream()
            .filter(entry -> baseline.containsKey(entry.getKey()))
            .mapToDouble(entry -> log(entry.getValue(), baseline.get(entry.getKey())))
            .filter(log -> !Double.isNaN(log))
            .toArray();
    Estimate log = bootstrap.median(logs);
    Estimate ratio =
        new Estimate(Math.exp(log.value()), Math.exp(log.lo()), Math.exp(log.hi()), log.rounds());
    return new PairedComparison(verdict(ratio), ratio);
  }

  private static Verdict verdict(Estimate ratio) {
    if (ratio.rounds() < MIN_ROUNDS) {
      return Verdict.TOO_FEW_ROUNDS;
    }
    if (ratio.contains(1)) {
      return Verdict.NO_DIFFERENCE;
    }
    return ratio.hi() < 1 ? Verdict.LOWER : Verdict.HIGHER;
  }

  /**
   * Returns these numbers for a percentile beyond which each round has less than one request: for
   * any interval, a verdict would depend on single requests. Saturation and too few rounds take
   * precedence.
   */
  public PairedComparison ofSingleRequests() {
    return verdict == Verdict.SATURATED || verdict == Verdict.TOO_FEW_ROUNDS
        ? this
        : new PairedComparison(Verdict.TOO_FEW_REQUESTS, ratio);
  }

  /**
   * Returns these numbers for arms one of which fails more requests. That flatters its latencies,
   * so only a verdict against it holds. Saturation, too few rounds and too few requests take
   * precedence.
   *
   * @param arm whether it is the arm, and not the baseline, that fails more
   */
  public PairedComparison ofFailures(boolean arm) {
    return switch (verdict) {
      case LOWER -> arm ? FAILED : this;
      case HIGHER -> arm ? this : FAILED;
      case NO_DIFFERENCE -> FAILED;
      case FAILED, SATURATED, TOO_FEW_ROUNDS, TOO_FEW_REQUESTS -> this;
    };
  }

  /** The logarithm of a ratio; NaN if both values are 0. */
  private static double log(double arm, double baseline) {
    double log = Math.log(checked(arm)) - Math.log(checked(baseline));
    return Math.max(-ENDLESS, Math.min(ENDLESS, log));
  }

  private static double checked(double value) {
    if (value >= 0 && Double.isFinite(value)) {
      return value;
    }
    throw new IllegalArgumentException("cannot form a ratio with " + value);
  }
}
