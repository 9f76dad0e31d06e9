/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.control.LoopStats;
import dev.manx.lab.experiment.Measured;

/**
 * Decisions of a policy that divides a cache.
 *
 * @param all due
 * @param deferred not made because a move was unfinished
 * @param frozen not made for lack of fresh statistics
 * @param failed ended in an exception, so that the shares stayed as they were
 * @param failedMoves moves that failed or did not end in time
 */
record DecisionCounts(long all, long deferred, long frozen, long failed, long failedMoves) {
  static final DecisionCounts NONE = new DecisionCounts(0, 0, 0, 0, 0);

  private static final String CHECK = "decisions without an exception";

  static DecisionCounts of(LoopStats loop) {
    return new DecisionCounts(
        loop.ticks(), loop.deferred(), loop.frozen(), loop.failures(), loop.failedMoves());
  }

  DecisionCounts plus(DecisionCounts other) {
    return plus(other, 1);
  }

  private DecisionCounts plus(DecisionCounts other, int sign) {
    return new DecisionCounts(
        all + sign * other.all,
        deferred + sign * other.deferred,
        frozen + sign * other.frozen,
        failed + sign * other.failed,
        failedMoves + sign * other.failedMoves);
  }

  /**
   * Adds the decisions since an earlier moment. An arm whose decisions end in exceptions only
   * measures the shares with which it began.
   */
  void into(Measured measured, DecisionCounts earlier) {
    DecisionCounts since = plus(earlier, -1);
    if (since.all > 0) {
      measured
          .metric("deferred_pct", since.pct(since.deferred))
          .metric("frozen_pct", since.pct(since.frozen));
    }
    measured
        .metric("failed_ticks", since.failed)
        .metric("failed_moves", since.failedMoves)
        .check(CHECK, since.failed == 0, since.failed + " of " + since.all + " failed");
  }

  private double pct(long some) {
    return 100.0 * some / all;
  }
}
