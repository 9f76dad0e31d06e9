/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.spi.PolicyInfo;

/**
 * FAIR++ (RobinHood section 5.1 and its testbed's weight): backends whose hit ratio is below the
 * mean get space in proportion to the difference.
 */
final class FairPolicy extends TaxingPolicy {
  static final PolicyInfo POLICY =
      PolicyInfo.named("cache.fair", "equal hit ratios")
          .source("FairRide (NSDI'16), FAIR++")
          .settings(TAX, GAP)
          .make(s -> new FairPolicy(s.real("tax"), s.real("gap")));

  /** Equal hit ratios by the loop of {@link TaxingPolicy}. */
  FairPolicy(double tax, double gap) {
    super(tax, gap);
  }

  @Override
  double[] weights(ShareView view) {
    int n = view.backends();
    double[] weights = new double[n];
    double sum = 0;
    int queried = 0;
    for (int b = 0; b < n; b++) {
      double ratio = view.statistics().hitRatio(b);
      if (!Double.isNaN(ratio)) {
        sum += ratio;
        queried++;
      }
    }
    double mean = sum / queried;
    for (int b = 0; b < n; b++) {
      double ratio = view.statistics().hitRatio(b);
      // A backend without a hit gets nothing, as published: perhaps none of its values is
      // cacheable.
      if (ratio > 0 && ratio < mean) {
        weights[b] = mean / ratio;
      }
    }
    return weights;
  }
}
