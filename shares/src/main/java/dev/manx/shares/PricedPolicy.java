/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Grows the shares that another policy wants to grow, as fast as it wants, but takes the space
 * where that delays requests least, and only while a byte spares more request time than it costs.
 */
final class PricedPolicy extends DelegatingPolicy {
  /* RobinHood takes the same fraction of every share, also of those whose hits are useful, and
   * gives it to the backend that blocks. Here both ends have a price. With a share of s bytes
   * instead of a, the requests that backend b blocked would take B(b) * times(b, a, s) instead of
   * B(b) (Queueing, by the sampled miss curve). For some decisions ahead, this gives the request
   * time that a byte spares where a share grows and costs where one shrinks. The cheapest shares
   * give first, each at most MOST times the tax, to the growing shares with the greatest gain.
   * B(b) counts whole requests, so a rarely queried backend that is slow when it misses keeps its
   * share, and a backend that never blocks gives its share away.
   *
   * Near a backend's capacity, few misses decide. So its utilisation counts as it lasted, and not
   * as it is at the height of a short squeeze: a share needs time to fill, and more until its keys
   * are queried again. And a share grows only if the sample is large enough to show that it helps:
   * the gain of a doubled share is that of the least fall of the miss ratio that the sample
   * supports, and it must be `least-gain`. On the convex hull of the curve, because the curve
   * itself is flat before a cliff.
   *
   * A backend without a curve, not queried yet or in a store that is not measured, takes and gives
   * what the policy wants. */
  private static final int AHEAD = 10;
  private static final double MOST = 2;

  private final double leastGain;
  private final double tax;
  private final Queueing queueing;

  /**
   * @param policy chooses the shares that grow
   * @param leastGain fraction of its queries' time that doubling a share must save
   * @param tax fraction of its share by which {@code policy} usually reduces a share
   * @param queueing of the view's statistics, updated before each decision
   */
  PricedPolicy(SharePolicy policy, double leastGain, double tax, Queueing queueing) {
    super(policy);
    this.leastGain = leastGain;
    this.tax = tax;
    this.queueing = queueing;
  }

  /** An amount of space that a backend may take or give, and the request time for each byte. */
  private static final class Offer {
    private final int backend;
    private final double nanosPerByte;
    private double bytes;

    Offer(int backend, double nanosPerByte, double bytes) {
      this.backend = backend;
      this.nanosPerByte = nanosPerByte;
      this.bytes = bytes;
    }

    double nanosPerByte() {
      return nanosPerByte;
    }

    double bytes() {
      return bytes;
    }
  }

  @Override
  public double[] targets(ShareView view) {
    double[] before = view.allocated().clone();
    double[] floors = view.floors().clone();
    double[] wanted = policy.targets(view);
    double[] blocked = view.statistics().blockedNanos();
    List<Offer> takers = new ArrayList<>();
    List<Offer> givers = new ArrayList<>();
    for (int b = 0; b < before.length; b++) {
      MissCurve curve = view.curves().get(b);
      MissCurve hull = curve == null ? null : curve.convex();
      double more = wanted[b] - before[b];
      double gain = more > 0 ? gain(b, hull, blocked[b], before[b], AHEAD * more) : 0;
      if (gain > 0) {
        takers.add(new Offer(b, gain, more));
        continue;
      }
      Offer offer =
          hull == null
              ? new Offer(b, Double.NEGATIVE_INFINITY, before[b] - wanted[b])
              : new Offer(
                  b,
                  cost(b, hull, blocked[b], before[b]),
                  Math.min(MOST * tax * before[b], before[b] - floors[b]));
      if (offer.bytes > 0) {
        givers.add(offer);
      }
    }
    takers.sort(Comparator.comparingDouble(Offer::nanosPerByte).reversed());
    givers.sort(
        Comparator.comparingDouble(Offer::nanosPerByte)
            .thenComparing(Comparator.comparingDouble(Offer::bytes).reversed()));
    return trade(before, takers, givers);
  }

  /** Request time that each further byte spares; 0 if the share should not grow. */
  private double gain(int backend, MissCurve hull, double blocked, double share, double more) {
    if (hull == null || share == 0) {
      return Double.POSITIVE_INFINITY;
    }
    double misses = hull.missRatio(share);
    double sure = hull.sureFall(share, 2 * share);
    if (!(sure > 0) || queueing.lasting(backend, misses, misses - sure) > 1 - leastGain) {
      return 0;
    }
    double supported = sure / hull.fall(share, 2 * share);
    double fall = supported * hull.fall(share, share + more);
    return blocked * (1 - queueing.lasting(backend, misses, misses - fall)) / more;
  }

  /** Request time that each byte less costs. */
  private double cost(int backend, MissCurve hull, double blocked, double share) {
    double less = Math.min(1, AHEAD * tax) * share;
    if (!(less > 0)) {
      return 0;
    }
    double slower =
        queueing.lasting(backend, hull.missRatio(share), hull.missRatio(share - less)) - 1;
    return blocked * slower / less;
  }

  private static double[] trade(double[] shares, List<Offer> takers, List<Offer> givers) {
    int next = 0;
    for (Offer taker : takers) {
      while (taker.bytes > 0
          && next < givers.size()
          && givers.get(next).nanosPerByte < taker.nanosPerByte) {
        Offer giver = givers.get(next);
        double moved = Math.min(taker.bytes, giver.bytes);
        taker.bytes -= moved;
        giver.bytes -= moved;
        shares[taker.backend] += moved;
        shares[giver.backend] -= moved;
        if (giver.bytes <= 0) {
          next++;
        }
      }
    }
    return shares;
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
