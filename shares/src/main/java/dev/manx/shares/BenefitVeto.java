/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/**
 * Applies another policy's decisions, except that a share does not grow if more space would not
 * avoid its misses, however often its backend blocks requests.
 */
public final class BenefitVeto extends DelegatingPolicy {
  /* RobinHood gives space to the backend that blocks slow requests without asking whether it helps.
   * A backend whose keys hardly repeat takes the space and misses as before, while the others lose
   * hits. The sampled miss curve answers this in relative terms: the fraction of the backend's
   * misses, which are its load, that a doubled share would avoid. A share that misses 1 % is worth
   * growing if that avoids all of them; one that misses 99 % is not if it avoids half a point.
   * Without a curve yet there is no veto. */

  private final double leastGain;

  /**
   * Puts a policy under a veto. One that weighs the benefit itself is returned unchanged: the
   * return of {@code cache.guarded} to the shares of a shared cache must not be vetoed.
   *
   * @param leastGain as in the constructor
   */
  public static SharePolicy over(SharePolicy policy, double leastGain) {
    return policy.weighsBenefit() ? policy : new BenefitVeto(policy, leastGain);
  }

  /**
   * @param policy makes the decisions
   * @param leastGain fraction of its misses that a doubled share must avoid, in (0, 1]
   */
  public BenefitVeto(SharePolicy policy, double leastGain) {
    super(policy);
    if (!(leastGain > 0 && leastGain <= 1)) {
      throw new IllegalArgumentException("least gain " + leastGain + "; allowed: more than 0 to 1");
    }
    this.leastGain = leastGain;
  }

  @Override
  public double[] targets(ShareView view) {
    double[] before = view.allocated().clone();
    double[] targets = policy.targets(view);
    double refused = 0;
    double receivers = 0;
    boolean[] vetoed = new boolean[targets.length];
    for (int b = 0; b < targets.length; b++) {
      vetoed[b] = targets[b] > before[b] && isFlat(view.curves().get(b), before[b]);
      if (vetoed[b]) {
        refused += targets[b] - before[b];
        targets[b] = before[b];
      } else {
        receivers += before[b];
      }
    }
    // The excess goes back to the taxed shares and to the growing ones, in proportion to their
    // sizes.
    for (int b = 0; b < targets.length && refused > 0; b++) {
      if (receivers <= 0) {
        targets[b] = before[b];
      } else if (!vetoed[b]) {
        targets[b] += refused * before[b] / receivers;
      }
    }
    return targets;
  }

  private boolean isFlat(MissCurve curve, double bytes) {
    if (curve == null || bytes == 0) {
      return false;
    }
    // The curve is flat before a cliff, where space is still useful; its convex hull is not flat.
    MissCurve hull = curve.convex();
    double misses = hull.missRatio(bytes);
    return misses > 0 && misses - hull.missRatio(2 * bytes) < leastGain * misses;
  }

  @Override
  public boolean wantsCurves() {
    return true;
  }

  @Override
  public boolean weighsBenefit() {
    return true;
  }
}
