/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;
import java.util.List;

/**
 * Fixed shares: TAO++ (RobinHood section 5.1) lets RobinHood move them for a while and then keeps
 * their average over that time.
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
  private List<String> backends;
  private double[] sum;
  private long samples;
  private long startNanos;
  private double[] fixed;

  /**
   * Keeps the initial shares, or the average of another policy's shares.
   *
   * @param teacher moves the shares while this one learns
   * @param learnNanos time to learn; 0 keeps the initial shares
   */
  StaticPolicy(SharePolicy teacher, long learnNanos) {
    this.teacher = teacher;
    this.learnNanos = learnNanos;
  }

  @Override
  public double[] targets(ShareView view) {
    int n = view.backends();
    if (!view.statistics().backends().equals(backends)) {
      // The first view, or a backend was added or removed: the average so far no longer applies.
      backends = view.statistics().backends();
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
      fixed = samples > 0 ? sum : view.allocated().clone();
    }
    return scaled(view.allocated());
  }

  /** The fixed proportions of the present space, which is less while a store takes less. */
  private double[] scaled(double[] allocated) {
    double now = 0;
    double all = 0;
    for (int b = 0; b < allocated.length; b++) {
      now += allocated[b];
      all += fixed[b];
    }
    double[] shares = allocated.clone();
    for (int b = 0; b < shares.length && all > 0; b++) {
      shares[b] = now == all ? fixed[b] : now * fixed[b] / all;
    }
    return shares;
  }

  @Override
  public long enoughRequests() {
    return teacher.enoughRequests();
  }

  @Override
  public long leastRequests() {
    return teacher.leastRequests();
  }
}
