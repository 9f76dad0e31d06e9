/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/**
 * Cliffhanger's goal by sampled miss curves instead of shadow queues: space goes where another byte
 * saves most misses. The curves are made convex first, so that a cliff draws space from afar.
 */
final class MissGradientPolicy extends TaxingPolicy {
  private static final double STEP = 0.01;

  /** Uses the loop of {@link TaxingPolicy}. */
  MissGradientPolicy(double tax, double gap) {
    super(tax, gap);
  }

  /** Misses saved per byte if the share grew by a hundredth; 0 where no curve is known. */
  @Override
  double[] weights(ShareView view) {
    double[] weights = new double[view.backends()];
    for (int b = 0; b < weights.length; b++) {
      MissCurve curve = view.curves().get(b);
      double share = Math.max(1, view.allocated()[b]);
      if (curve != null) {
        double queries = view.statistics().hits(b) + (double) view.statistics().misses(b);
        weights[b] = queries * curve.convex().gainPerByte(share, STEP * share);
      }
    }
    return weights;
  }

  @Override
  public boolean wantsCurves() {
    return true;
  }
}
