/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;
import java.util.Arrays;

/**
 * Manx's own: the loop of RobinHood with three differences. The slowest fifth of all requests
 * count, weighted by latency; the weight grows with the slowdown of the blocking backend; and the
 * tax is limited to the space that the receivers can fill.
 */
final class PacedPolicy implements SharePolicy {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "cache.paced",
              "space goes to the backends that slow down and delay the slowest fifth most,"
                  + " as fast as it fills")
          .source("Manx")
          .settings(
              Setting.share("slowest", 0.2, 0.001, 1, "part of the requests that count"),
              Setting.number("power", 1, 0, 10, "power of its latency by which a request counts"),
              Setting.share(
                  "tax", 0.01, 0, 0.5, "largest part of a share that is taken at a decision"),
              Setting.share("room", 0.05, 0, 10, "part of its use by which a share may be larger"),
              Setting.whole(
                  "enough",
                  500,
                  1,
                  1_000_000,
                  "counted requests that a decision needs; the window is widened until it has"
                      + " them"),
              Setting.number(
                  "haste", 4, 0, 10, "power of a backend's slowdown by which its requests count"),
              Setting.duration(
                  "lately",
                  "1min",
                  "1s",
                  "1h",
                  "time over which the slowness of a backend is measured"),
              Setting.duration(
                  "usually", "1h", "1s", "100h", "time in which a slowness becomes usual"))
          .make(
              s ->
                  new PacedPolicy(
                      s.real("slowest"),
                      s.real("power"),
                      s.real("tax"),
                      s.real("room"),
                      s.whole("enough"),
                      s.real("haste"),
                      new Slowdowns(
                          s.number("lately"),
                          s.number("usually"),
                          s.number("enough") / 10.0,
                          ControllerSettings.of(s).longestNanos())));

  /* Counting. RobinHood counts one request in a hundred, near the P99. So few are counted that the
   * window must be long or the counts are noise; and in calm times they come from rarely queried
   * but slow backends, which then take the space that a busy backend needs at its next slowdown.
   * The slowest fifth has twenty times the requests and is blocked by the busy backends; weighting
   * by latency lets a squeezed backend dominate as soon as its queue grows, before it affects the
   * P99.
   *
   * Haste. A backend that loses capacity slows down before it blocks requests near the P99, and its
   * share then needs minutes to grow. A rarely queried backend that is always slow is different:
   * space reduces queueing, not service time. So the requests that a backend blocked are weighted
   * by a power of its slowdown. In an M/M/1 queue a request avoided shortens the wait of all others
   * by the square of the slowdown (d/dL of 1/(M-L)); the fourth power, which also anticipates a
   * further slowdown, does better on spikes.
   *
   * Pace. A share fills only as fast as its backend misses: at 300 misses of 23 KB a second it
   * takes 10 s for the 1 % of a 32 GB cache that RobinHood gives every 5 s. Meanwhile up to 30 % of
   * the share (the gap rule) is empty space that was full in the givers' shares. Here at most
   * `room` of a share may be empty, and a tax that the receivers cannot use is not taken.
   *
   * Found by simulation; docs/research/robinhood.md has the alternatives and the numbers. */

  private static final double LEAST_PART = 10;

  private final double slowest;
  private final double power;
  private final double tax;
  private final double room;
  private final int enough;
  private final double haste;
  private final Slowdowns slowdowns;

  /**
   * The loop.
   *
   * @param slowest fraction of all requests that count, 0 to 1
   * @param power exponent of the latency in a request's weight
   * @param tax largest fraction of a share taken per decision
   * @param room fraction of its use by which a share may be larger
   * @param enough number of counted requests wanted
   * @param haste exponent of the backend's slowdown in a request's weight
   * @param slowdowns without observations
   */
  PacedPolicy(
      double slowest,
      double power,
      double tax,
      double room,
      int enough,
      double haste,
      Slowdowns slowdowns) {
    this.slowest = slowest;
    this.power = power;
    this.tax = tax;
    this.room = room;
    this.enough = enough;
    this.haste = haste;
    this.slowdowns = slowdowns;
  }

  @Override
  public long enoughRequests() {
    return (long) Math.ceil(enough / slowest);
  }

  /* It counts so many requests that a tenth of them, RobinHood's fifty by default, is enough. */
  @Override
  public long leastRequests() {
    return (long) Math.ceil(enough / (LEAST_PART * slowest));
  }

  @Override
  public double[] targets(ShareView view) {
    double[] weights = weights(view.statistics());
    double[] slower = slowdowns.update(view.nowNanos(), view.latest());
    for (int b = 0; b < weights.length; b++) {
      weights[b] *= Math.pow(slower[b], haste);
    }
    double[] targets = view.allocated().clone();
    int n = targets.length;
    double[] taken = new double[n];
    double pool = 0;
    double sum = 0;
    for (int b = 0; b < n; b++) {
      taken[b] = Math.max(0, Math.min(tax * targets[b], targets[b] - view.floors()[b]));
      pool += taken[b];
      sum += weights[b];
    }
    if (!(sum > 0) || !(pool > 0)) {
      return targets;
    }
    double[] fills = new double[n];
    for (int b = 0; b < n; b++) {
      fills[b] = Math.max(0, (1 + room) * view.used()[b] - targets[b]);
      weights[b] /= sum;
    }
    double[] given = given(pool, weights, fills, taken);
    double used = Arrays.stream(given).sum();
    for (int b = 0; b < n; b++) {
      targets[b] += given[b] - taken[b] * used / pool;
    }
    return targets;
  }

  /**
   * Each gets its part of the pool, but no more than it can fill in addition to the tax that it
   * pays itself. The part of the tax that is taken is the part of the pool that is given; the less
   * is given, the less each gets back.
   */
  private static double[] given(double pool, double[] parts, double[] fills, double[] taken) {
    int n = parts.length;
    double[] given = new double[n];
    // Newton's method from above on a concave function of straight pieces, at most one per backend.
    double part = 1;
    for (int step = 0; step <= n; step++) {
      double over = pool * part;
      double slope = pool;
      for (int b = 0; b < n; b++) {
        double most = fills[b] + taken[b] * part;
        boolean fits = pool * parts[b] <= most;
        given[b] = fits ? pool * parts[b] : most;
        over -= given[b];
        slope -= fits ? 0 : taken[b];
      }
      if (!(over > 0) || !(slope > 0)) {
        break;
      }
      part = Math.max(0, part - over / slope);
    }
    return given;
  }

  /** The slowest requests that each backend blocked, weighted by a power of their latency. */
  private double[] weights(WindowStatistics window) {
    double[] weights = new double[window.backends().size()];
    double first = (1 - slowest) * window.requests();
    double unit = window.requestNanos(1 - slowest);
    double seen = 0;
    for (int bin = 0; bin < LatencyBins.REQUEST_BINS; bin++) {
      long here = window.requestsIn(bin);
      double inside = seen + here - Math.max(first, seen);
      seen += here;
      if (here > 0 && inside > 0) {
        double worth = Math.pow(LatencyBins.requestEdge(bin) / unit, power) * inside / here;
        for (int b = 0; b < weights.length; b++) {
          weights[b] += worth * window.blockedBy(b, bin);
        }
      }
    }
    return weights;
  }
}
