/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.Setting;

/**
 * The loop of RobinHood (section 3.1) with any weights: every share is taxed by a fraction of
 * itself, and the pool goes to the backends in proportion to their weights. RobinHood, FAIR++,
 * LAMA++ and the testbed's stand-in for Cliffhgr++ differ only in their weights.
 */
abstract class TaxingPolicy implements SharePolicy {
  static final Setting TAX =
      Setting.share("tax", 0.01, 0, 0.5, "part of every share that is taken at a decision");
  static final Setting GAP =
      Setting.share("gap", 0.3, 0, 1_000, "a share that exceeds its use by this part gets nothing");

  private final double tax;
  private final double gap;

  /**
   * The loop's own parameters.
   *
   * @param tax fraction of every share that is taken at each tick
   * @param gap a backend whose share exceeds its use by more than this fraction gets nothing: it
   *     cannot use more now (section 3.2)
   */
  TaxingPolicy(double tax, double gap) {
    this.tax = tax;
    this.gap = gap;
  }

  /** Weights by backend, at least 0; all 0 means no change. */
  abstract double[] weights(ShareView view);

  @Override
  public final double[] targets(ShareView view) {
    double[] weights = weights(view);
    double[] targets = view.allocated().clone();
    double sum = 0;
    for (int b = 0; b < targets.length; b++) {
      if (!usesItsShare(view, b)) {
        weights[b] = 0;
      }
      sum += weights[b];
    }
    if (!(sum > 0)) {
      return targets;
    }
    double pool = 0;
    for (int b = 0; b < targets.length; b++) {
      double taken = tax * targets[b];
      if (targets[b] - taken > view.floors()[b]) {
        targets[b] -= taken;
        pool += taken;
      }
    }
    for (int b = 0; b < targets.length; b++) {
      targets[b] += pool * weights[b] / sum;
    }
    return targets;
  }

  private boolean usesItsShare(ShareView view, int backend) {
    return view.allocated()[backend] <= (1 + gap) * view.used()[backend];
  }
}
