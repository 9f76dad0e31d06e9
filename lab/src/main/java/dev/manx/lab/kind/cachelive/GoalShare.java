/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.Measured;
import dev.manx.load.LoadProgress;
import dev.manx.simulator.cache.Slo;

/**
 * The share of a turn's samples at which the P99 missed the goal. A sample without any latency
 * counts as a miss if requests were in flight or had failed: otherwise a stall would improve the
 * share. Confined to one thread at a time.
 */
final class GoalShare {
  private final long goalNanos;
  private long looks;
  private long beyond;

  GoalShare(long goalNanos) {
    this.goalNanos = goalNanos;
  }

  /**
   * Adds a sample.
   *
   * @param failed requests that failed since the previous sample
   */
  void add(LoadProgress look, long failed) {
    double p99Millis = look.p99Millis();
    if (!Double.isNaN(p99Millis)) {
      looks++;
      beyond += p99Millis * 1e6 > goalNanos ? 1 : 0;
    } else if (look.outstanding() > 0 || failed > 0) {
      looks++;
      beyond++;
    }
  }

  /** Adds the metrics, if there was a sample. */
  void into(Measured measured) {
    if (looks > 0) {
      double pct = 100.0 * beyond / looks;
      measured
          .metric("looks_beyond_goal_pct", pct)
          .metric(Slo.MISSED, Slo.params("p99", Double.toString(goalNanos / 1e6)), pct);
    }
  }
}
