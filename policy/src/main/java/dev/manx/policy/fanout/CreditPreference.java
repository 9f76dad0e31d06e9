/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

/**
 * The choice among a read's replicas with credit left. BRB section 2.2 holds reads back while no
 * replica has credit and does not specify the choice among several replicas with credit; both
 * options are our readings, not the paper's words.
 */
enum CreditPreference {
  /** The replica with the most credit: this coordinator has sent it the least work lately. */
  MOST_CREDIT,
  /**
   * The replica with this coordinator's least outstanding forecast work, as {@code select.low}
   * ranks them; the most credit among equals.
   */
  LEAST_WORK;

  /**
   * Whether to prefer a node to the best so far, both with credit left.
   *
   * @param workNanos this coordinator's outstanding work at the node, including this request's
   */
  boolean isBetter(long workNanos, double credit, long bestWorkNanos, double bestCredit) {
    return this == LEAST_WORK && workNanos != bestWorkNanos
        ? workNanos < bestWorkNanos
        : credit > bestCredit;
  }
}
