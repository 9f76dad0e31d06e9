/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/**
 * RobinHood's testbed's stand-in for Cliffhgr++, which needs no shadow queues: space in proportion
 * to the rate of queries.
 */
final class RequestRatePolicy extends TaxingPolicy {
  /** Uses the loop of {@link TaxingPolicy}. */
  RequestRatePolicy(double tax, double gap) {
    super(tax, gap);
  }

  @Override
  double[] weights(ShareView view) {
    double[] weights = new double[view.backends()];
    for (int b = 0; b < weights.length; b++) {
      weights[b] = view.statistics().hits(b) + view.statistics().misses(b);
    }
    return weights;
  }
}
