/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.spi.PolicyInfo;

/**
 * LAMA++ (RobinHood section 5.1 and its testbed's weight): backends whose queries' P99, hits
 * included, is near or above the mean over backends get space in proportion to it.
 */
final class LamaPolicy extends TaxingPolicy {
  static final PolicyInfo POLICY =
      PolicyInfo.named("cache.lama", "equal P99 of queries")
          .source("LAMA (ATC'15), LAMA++")
          .settings(TAX, GAP)
          .make(s -> new LamaPolicy(s.real("tax"), s.real("gap")));

  private static final double QUANTILE = 0.99;
  private static final double CUT = 0.9;

  /** Equal query P99 by the loop of {@link TaxingPolicy}. */
  LamaPolicy(double tax, double gap) {
    super(tax, gap);
  }

  @Override
  double[] weights(ShareView view) {
    int n = view.backends();
    double[] nanos = new double[n];
    double sum = 0;
    int queried = 0;
    for (int b = 0; b < n; b++) {
      nanos[b] = view.statistics().queryNanos(b, QUANTILE);
      if (!Double.isNaN(nanos[b])) {
        sum += nanos[b];
        queried++;
      }
    }
    for (int b = 0; b < n; b++) {
      if (!(nanos[b] > CUT * sum / queried)) {
        nanos[b] = 0;
      }
    }
    return nanos;
  }
}
