/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;

/**
 * Shares that never move: TAO++ (RobinHood section 5.1) lets RobinHood find them for a while, takes
 * their average over that while, and then keeps it.
 */
final class StaticPolicy implements SharePolicy {
  static final PolicyInfo POLICY =
      PolicyInfo.named("cache.static", "RobinHood's average shares over a while, then fixed")
          .source("TAO++ (RobinHood section 5.1)")
          .settings(
              Setting.duration(
                  "learn",
                  "36min",
                  "0",
                  "100h",
                  "time from the start over which shares are averaged; 0 fixes them at once"),
              TaxingPolicy.TAX,
              TaxingPolicy.GAP,
              Goals.GOAL,
              Goals.HALF_BAND,
              Goals.ENOUGH)
          .make(s -> new StaticPolicy(RobinHoodPolicy.of(s), s.number("learn")));

  private final SharePolicy teacher;
  private final long learnNanos;
  private double[] sum;
  private long samples;
  private long startNanos;
  private double[] fixed;

  /**
   * Shares as they are, or as another policy leads them for a while.
   *
   * @param teacher moves the shares while this one learns
   * @param learnNanos for how long; 0 keeps the shares as they are from the start
   */
  StaticPolicy(SharePolicy teacher, long learnNanos) {
    this.teacher = teacher;
    this.learnNanos = learnNanos;
  }

  @Override
  public double[] targets(ShareView view) {
    int n = view.backends();
    if (sum == null || sum.length != n) {
      // The first view, or a backend came or went: what was learnt does not fit any more.
      sum = new double[n];
      samples = 0;
      startNanos = view.nowNanos();
      fixed = null;
    }
    if (fixed == null && view.nowNanos() - startNanos < learnNanos) {
      double[] targets = teacher.targets(view);
      for (int b = 0; b < n; b++) {
        sum[b] += view.allocated()[b];
      }
      samples++;
      return targets;
    }
    if (fixed == null) {
      fixed = view.allocated().clone();
      double all = 0;
      double now = 0;
      for (int b = 0; b < n; b++) {
        all += sum[b];
        now += fixed[b];
      }
      for (int b = 0; b < n && samples > 0; b++) {
        fixed[b] = now * sum[b] / all;
      }
    }
    return fixed.clone();
  }

  @Override
  public long enoughRequests() {
    return teacher.enoughRequests();
  }
}
