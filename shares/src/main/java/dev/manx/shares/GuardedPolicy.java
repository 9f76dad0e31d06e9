/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.Settings;
import java.util.Map;

/**
 * RobinHood that does no harm: a share grows only where space avoids misses, at the expense of the
 * shares that lose least ({@link PricedPolicy}). While its shares cost more request time than those
 * of one shared cache would, the policy moves to the latter and rests.
 */
final class GuardedPolicy extends DelegatingPolicy {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "cache.guarded", "RobinHood while it helps, otherwise the shares of a shared cache")
          .source("Manx")
          .settings(
              TaxingPolicy.TAX,
              TaxingPolicy.GAP,
              Goals.GOAL,
              Goals.HALF_BAND,
              Goals.ENOUGH,
              Setting.share(
                  "least-gain",
                  0.01,
                  0.001,
                  1,
                  "part of its queries' time that doubling a share must save; otherwise it does not"
                      + " grow"),
              Setting.share(
                  "margin",
                  0.05,
                  0,
                  1,
                  "part of the request time by which one division of the space must be better to"
                      + " replace the other"),
              Setting.duration(
                  "judge", "1min", "1ns", "1h", "time over which the two divisions are compared"),
              Setting.duration(
                  "usually", "1h", "1ns", "100h", "time in which a latency becomes usual"))
          .make(GuardedPolicy::of);

  /* Cost. In the last window, requests that backend b blocked took B(b) nanoseconds in total. With
   * another share s instead of a they would have taken B(b) f (1 - rho)/(1 - rho f), where f =
   * m(s)/m(a) by the sampled miss curve m, because a blocked request waited for a miss, and rho is
   * the backend's utilisation (Queueing, which also says how f depends on the keys of a query). Both
   * divisions are judged on the same window, so a backend that slows down for all does not look like
   * a loss, and no time is spent on trying the worse one.
   *
   * Return. Over `judge`, with older windows fading, the current shares cost `margin` more than
   * those of a shared cache: rest. At rest the shares approach those of a shared cache, by at most
   * `tax` of each per decision. Ten decisions of the policy from here would save `margin`, judged
   * over a quarter of `judge`: act again, at the earliest after such a quarter. Each loss within
   * eight `judge`s of the last change doubles this wait, up to four `judge`s, so a policy that
   * loses acts for a bounded fraction of the time. */
  private static final int AHEAD = 10;
  private static final int MOST_RESTS = 16;
  private static final int RELAPSE = 8;

  /** A backend with fewer queries with a miss in a window counts as idle. */
  private static final long LEAST_MISSES = 50;

  private final Queueing queueing;
  private final double tax;
  private final double margin;
  private final long judgeNanos;
  private final Balance loss = new Balance();
  private final Balance gain = new Balance();
  private boolean resting;
  private long rests;
  private int restLength = 1;
  private long sinceNanos = Long.MIN_VALUE;
  private long lastNanos;
  private double lastLoss = Double.NaN;

  /**
   * Starts active; rests once it loses.
   *
   * @param policy makes the decisions while it does not lose
   * @param queueing may be shared with {@code policy}
   * @param tax largest fraction of a share taken per decision at rest
   * @param margin fraction of the request time, 0 to 1
   * @param judgeNanos time over which costs are compared
   */
  GuardedPolicy(SharePolicy policy, Queueing queueing, double tax, double margin, long judgeNanos) {
    super(policy);
    this.queueing = queueing;
    this.tax = tax;
    this.margin = margin;
    this.judgeNanos = judgeNanos;
  }

  private static GuardedPolicy of(Settings s) {
    // In compressed time a window has fewer misses, as it has fewer counted requests.
    long leastMisses = Math.min(LEAST_MISSES, s.number("enough"));
    Queueing queueing =
        new Queueing(
            s.number("usually"),
            s.number("judge"),
            leastMisses,
            ControllerSettings.of(s).longestNanos());
    return new GuardedPolicy(
        new PricedPolicy(RobinHoodPolicy.of(s), s.real("least-gain"), s.real("tax"), queueing),
        queueing,
        s.real("tax"),
        s.real("margin"),
        s.number("judge"));
  }

  /** Request time of two divisions of the space, weighted towards recent windows. */
  private static final class Balance {
    private double now;
    private double other;

    void add(double keep, double nanosNow, double nanosOther) {
      now = keep * now + nanosNow;
      other = keep * other + nanosOther;
    }

    /** The cost of the current shares relative to that of the others, less 1; NaN if unknown. */
    double more() {
      return other > 0 ? now / other - 1 : Double.NaN;
    }

    void clear() {
      now = 0;
      other = 0;
    }
  }

  @Override
  public double[] targets(ShareView view) {
    queueing.update(view.nowNanos(), view.statistics());
    double[] wish = policy.targets(copy(view));
    double[] shared = SharedShares.of(view);
    long now = view.nowNanos();
    if (sinceNanos == Long.MIN_VALUE || now < lastNanos) {
      turn(now);
      lastLoss = Double.NaN;
    } else {
      judge(view, wish, shared, now);
    }
    lastNanos = now;
    return resting && shared != null ? toward(shared, view) : resting ? view.allocated() : wish;
  }

  private void judge(ShareView view, double[] wish, double[] shared, long now) {
    double[] blocked = view.statistics().blockedNanos();
    double keep = Math.exp((lastNanos - now) / (double) judgeNanos);
    double cost = cost(view, blocked, view.allocated());
    if (shared != null) {
      loss.add(keep, cost, cost(view, blocked, shared));
    }
    gain.add(Math.pow(keep, 4), cost, cost(view, blocked, ahead(view, wish)));
    lastLoss = loss.more();
    long waited = now - sinceNanos;
    if (!resting && waited >= judgeNanos && lastLoss > margin) {
      restLength = waited < RELAPSE * judgeNanos ? Math.min(MOST_RESTS, 2 * restLength) : 1;
      resting = true;
      rests++;
      turn(now);
    } else if (resting && waited >= restLength * judgeNanos / 4 && gain.more() > margin) {
      resting = false;
      turn(now);
    }
  }

  private void turn(long now) {
    sinceNanos = now;
    loss.clear();
    gain.clear();
  }

  private double cost(ShareView view, double[] blocked, double[] shares) {
    double nanos = 0;
    for (int b = 0; b < blocked.length; b++) {
      nanos += blocked[b] * queueing.times(b, view.curves().get(b), view.allocated()[b], shares[b]);
    }
    return nanos;
  }

  /** The shares after ten such decisions. */
  private static double[] ahead(ShareView view, double[] wish) {
    double[] ahead = view.allocated().clone();
    for (int b = 0; b < ahead.length; b++) {
      ahead[b] = Math.max(0, ahead[b] + AHEAD * (wish[b] - ahead[b]));
    }
    return ahead;
  }

  /** Moves the shares as far as the tax allows, from those above their targets to those below. */
  private double[] toward(double[] shared, ShareView view) {
    double[] targets = view.allocated().clone();
    double taken = 0;
    double missing = 0;
    for (int b = 0; b < targets.length; b++) {
      double least = Math.max(shared[b], view.floors()[b]);
      double surplus = Math.max(0, Math.min(tax * targets[b], targets[b] - least));
      missing += Math.max(0, shared[b] - targets[b]);
      taken += surplus;
      targets[b] -= surplus;
    }
    for (int b = 0; b < targets.length && missing > 0; b++) {
      targets[b] += taken * Math.max(0, shared[b] - view.allocated()[b]) / missing;
    }
    return missing > 0 ? targets : view.allocated();
  }

  private static ShareView copy(ShareView view) {
    return new ShareView(
        view.nowNanos(),
        view.statistics(),
        view.latest(),
        view.allocated().clone(),
        view.used().clone(),
        view.floors().clone(),
        view.curves());
  }

  @Override
  public boolean wantsCurves() {
    return true;
  }

  @Override
  public boolean weighsBenefit() {
    return true;
  }

  @Override
  public PolicyReport report() {
    return new PolicyReport(resting, rests, lastLoss, Map.of());
  }
}
