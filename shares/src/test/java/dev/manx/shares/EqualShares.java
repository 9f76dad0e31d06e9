/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.Arrays;

/** Backends with shares of 100 MB each, without floors. */
final class EqualShares {
  private EqualShares() {}

  static ShareView view(WindowStatistics statistics, MissCurve... curves) {
    double[] shares = new double[curves.length];
    Arrays.fill(shares, 100e6);
    return new ShareView(
        0,
        statistics,
        shares.clone(),
        shares.clone(),
        new double[curves.length],
        Arrays.asList(curves));
  }
}
