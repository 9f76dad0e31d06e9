/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

/**
 * Which of a read's replicas with credit left it goes to. BRB section 2.2 holds reads back while no
 * replica has credit and is silent on the choice among several that have; both answers are
 * readings, not the paper's words.
 */
enum CreditPreference {
  /** The one with the most credit: the one this coordinator asked least of lately. */
  MOST_CREDIT,
  /**
   * The one with the least forecast work outstanding of this coordinator's own, as {@code
   * select.low} ranks them; the most credit among equals.
   */
  LEAST_WORK;

  /**
   * Whether a node is to be preferred to the best so far, both with credit left.
   *
   * @param workNanos this coordinator has outstanding at the node, the request's own included
   */
  boolean isBetter(long workNanos, double credit, long bestWorkNanos, double bestCredit) {
    return this == LEAST_WORK && workNanos != bestWorkNanos
        ? workNanos < bestWorkNanos
        : credit > bestCredit;
  }
}
