/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.cache;

/**
 * RobinHood (Berger et al., OSDI'18, section 3): space goes from every backend to those that block
 * the requests whose latency is near the goal.
 */
public final class RobinHoodPolicy extends TaxingPolicy {
  private final Goals goals;

  /**
   * RobinHood.
   *
   * @param tax 0.01 in the paper
   * @param gap 0.3 in the paper
   * @param goals P99 with half a band of 0.005 in the paper
   */
  public RobinHoodPolicy(double tax, double gap, Goals goals) {
    super(tax, gap);
    this.goals = goals;
  }

  @Override
  double[] weights(ShareView view) {
    return goals.blockingCounts(view.statistics());
  }

  @Override
  public long enoughRequests() {
    return goals.enoughRequests();
  }
}
