/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

/** The conclusion of a paired comparison of an arm with the baseline. */
public enum Verdict {
  /** The whole interval of the ratio is below 1. */
  LOWER,
  /** The whole interval of the ratio is above 1. */
  HIGHER,
  /** The interval of the ratio contains 1: the observed difference is within the noise. */
  NO_DIFFERENCE,
  /** One of the two arms was saturated; its latency depends on the length of the run. */
  SATURATED,
  /**
   * Requests of the arm that looks better failed more often than the other's, or of either if the
   * ratio shows no difference: most failures have no latency.
   */
  FAILED,
  /** Fewer than {@link PairedComparison#MIN_ROUNDS} rounds were measured for both arms. */
  TOO_FEW_ROUNDS,
  /**
   * Less than one request of a round lies beyond the percentile: the rounds' maxima are compared.
   */
  TOO_FEW_REQUESTS
}
