/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.Values;
import dev.manx.policy.spi.PolicyInfo;

/**
 * RobinHood (Berger et al., OSDI'18, section 3): space goes from every backend to those that block
 * the requests whose latency is near the goal.
 */
final class RobinHoodPolicy extends TaxingPolicy {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "cache.robinhood", "space goes to the backends that block requests near the goal")
          .source("RobinHood (OSDI'18)")
          .settings(TAX, GAP, Goals.GOAL, Goals.HALF_BAND, Goals.ENOUGH)
          .make(RobinHoodPolicy::of);

  private final Goals goals;

  /**
   * RobinHood.
   *
   * @param tax 0.01 in the paper
   * @param gap 0.3 in the paper
   * @param goals P99 with half a band of 0.005 in the paper
   */
  RobinHoodPolicy(double tax, double gap, Goals goals) {
    super(tax, gap);
    this.goals = goals;
  }

  /** RobinHood with the values of its settings. */
  static RobinHoodPolicy of(Values settings) {
    return new RobinHoodPolicy(settings.real("tax"), settings.real("gap"), Goals.of(settings));
  }

  @Override
  double[] weights(ShareView view) {
    return goals.blockingCounts(view.statistics());
  }

  @Override
  public long enoughRequests() {
    return goals.enoughRequests();
  }

  /* Each decision moves a fixed part of every share, however few requests it rests on. So with a
   * few counted requests chance alone would divide the cache. */
  @Override
  public long leastRequests() {
    return goals.enoughRequests();
  }
}
