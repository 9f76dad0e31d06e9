/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/**
 * Another policy's decisions, except that a share does not grow if more space would not spare its
 * misses, however often its backend blocks requests.
 */
public final class BenefitVeto implements SharePolicy {
  /* RobinHood gives space to the backend that blocks slow requests without asking whether it helps.
   * A backend whose keys hardly repeat takes it and misses as before, while the others lose hits. The
   * question is asked of the sampled miss curve in relative terms: what part of its misses, which are
   * the load on the backend, a doubled share would spare. A share with 1 % of misses that would all go
   * is worth growing, one with 99 % of which half a point would go is not. Without a curve yet there is
   * no veto. */

  private final SharePolicy policy;
  private final double leastGain;
  private final Queueing queueing;

  /**
   * A policy under a veto. {@code cache.guarded} has one of its own, and its way back to the shares
   * of a shared cache is not to be vetoed: it stays as it is.
   *
   * @param leastGain as in the constructor
   */
  public static SharePolicy over(SharePolicy policy, double leastGain) {
    return policy instanceof GuardedPolicy ? policy : new BenefitVeto(policy, leastGain);
  }

  /**
   * @param policy decides
   * @param leastGain part of its misses that a doubled share must spare, more than 0 to 1
   */
  public BenefitVeto(SharePolicy policy, double leastGain) {
    this(policy, leastGain, null);
  }

  /**
   * The same for the time that its queries take instead of its misses.
   *
   * @param queueing of the view's statistics; null: misses count
   */
  BenefitVeto(SharePolicy policy, double leastGain, Queueing queueing) {
    if (!(leastGain > 0 && leastGain <= 1)) {
      throw new IllegalArgumentException("least gain " + leastGain + "; allowed: more than 0 to 1");
    }
    this.policy = policy;
    this.leastGain = leastGain;
    this.queueing = queueing;
  }

  @Override
  public double[] targets(ShareView view) {
    double[] before = view.allocated().clone();
    double[] targets = policy.targets(view);
    double refused = 0;
    double receivers = 0;
    boolean[] vetoed = new boolean[targets.length];
    for (int b = 0; b < targets.length; b++) {
      vetoed[b] = targets[b] > before[b] && isFlat(b, view.curves().get(b), before[b]);
      if (vetoed[b]) {
        refused += targets[b] - before[b];
        targets[b] = before[b];
      } else {
        receivers += before[b];
      }
    }
    // Those who paid get it back, and those who grow get more, all by the size of their shares.
    for (int b = 0; b < targets.length && refused > 0; b++) {
      if (receivers <= 0) {
        targets[b] = before[b];
      } else if (!vetoed[b]) {
        targets[b] += refused * before[b] / receivers;
      }
    }
    return targets;
  }

  private boolean isFlat(int backend, MissCurve curve, double bytes) {
    if (curve == null || bytes == 0) {
      return false;
    }
    // Before a cliff the curve is flat and space pays all the same; its hull is not.
    MissCurve hull = curve.convex();
    if (queueing != null) {
      return queueing.times(backend, hull, bytes, 2 * bytes) > 1 - leastGain;
    }
    double misses = hull.missRatio(bytes);
    return misses > 0 && misses - hull.missRatio(2 * bytes) < leastGain * misses;
  }

  @Override
  public boolean partitions() {
    return policy.partitions();
  }

  @Override
  public long enoughRequests() {
    return policy.enoughRequests();
  }

  @Override
  public long shadowBytes() {
    return policy.shadowBytes();
  }

  @Override
  public boolean wantsCurves() {
    return true;
  }

  @Override
  public PolicyReport report() {
    return policy.report();
  }
}
