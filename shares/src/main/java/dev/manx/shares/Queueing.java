/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Estimates each backend's utilisation from the latency of its misses, and from that the time that
 * fewer misses would save its queries. Confined to its policy's thread.
 */
final class Queueing {
  /* In an M/M/1 queue a query takes 1/(1 - rho) times its service time. So a backend whose misses
   * take R times as long as usual has an extra utilisation of rho = 1 - 1/R, and with f times the
   * misses its queries would take (1 - rho)/(1 - rho f) of the time: near capacity two per cent of
   * the misses are decisive. A backend whose latencies all grow by a constant does not queue: the
   * excess of its fastest misses (P5) over the usual is subtracted.
   *
   * A query of several keys waits if any is missing, so fewer missing keys need not save any query
   * its wait. If keys missed independently, k in a query, u = 1 - (1 - m)^k of the queries would
   * wait at a miss ratio of m. The k that gives the present ratio of waiting queries is between 1,
   * if the keys of a query miss together, and their number. So queries wait u(m')/u(m) times as
   * often, while f, the load of the backend, follows the keys.
   *
   * The usual latency follows a fall twelve times as fast as a rise, and in its first hour as fast
   * as it is young: the first misses after a start are slow, because code and connections are cold,
   * and must not be usual for long. */
  private static final double RISE_OVER_FALL = 12;
  private static final double FASTEST = 0.05;
  private static final double MOST_FULL = 0.95;
  private static final double LEAST_IDLE = 0.02;
  private static final double LEAST_RATIO = 0.001;

  private final double usuallyNanos;
  private final double lastingNanos;
  private final long leastMisses;
  private final long longestNanos;
  private final Map<String, Usual> usual = new HashMap<>();
  private long lastNanos;
  private double[] full = {};
  private double[] lasting = {};
  private double[] independent = {};

  /**
   * Starts without observations.
   *
   * @param usuallyNanos time constant of the usual latency on a rise
   * @param lastingNanos time constant of the lasting utilisation
   * @param leastMisses queries of a backend with a miss in a window; with fewer it counts as idle
   * @param longestNanos time that passes between two calls at most: after a stop of the process the
   *     misses of its last seconds, all slow, must not become usual at once
   */
  Queueing(long usuallyNanos, long lastingNanos, long leastMisses, long longestNanos) {
    this.usuallyNanos = usuallyNanos;
    this.lastingNanos = lastingNanos;
    this.leastMisses = leastMisses;
    this.longestNanos = longestNanos;
  }

  private static final class Usual {
    private double mean;
    private double fastest;
    private double ageNanos;
    private double full;

    /** Takes the utilisation during a time, given in time constants. */
    void lasts(double now, double times) {
      full += (now - full) * -Math.expm1(-times);
    }
  }

  /** Takes the statistics of the last windows; a window may be in several calls. */
  void update(long nowNanos, WindowStatistics seen) {
    List<String> names = seen.backends();
    usual.keySet().retainAll(names);
    double elapsed = Math.max(0, Math.min(longestNanos, nowNanos - lastNanos));
    lastNanos = nowNanos;
    full = new double[names.size()];
    lasting = new double[names.size()];
    independent = new double[names.size()];
    for (int b = 0; b < full.length; b++) {
      independent[b] = independentKeys(seen, b);
      if (seen.missQueries(b) < leastMisses) {
        Usual idle = usual.get(names.get(b));
        if (idle != null) {
          idle.lasts(0, elapsed / lastingNanos);
        }
        continue;
      }
      double mean = seen.meanMissNanos(b);
      double fastest = seen.missNanos(b, FASTEST);
      Usual one = usual.computeIfAbsent(names.get(b), name -> new Usual());
      one.ageNanos = one.mean == 0 ? 0 : one.ageNanos + elapsed;
      one.mean = follow(one.mean, mean, elapsed, one.ageNanos);
      one.fastest = follow(one.fastest, fastest, elapsed, one.ageNanos);
      // Misses below the clock's resolution do not queue.
      double slower = one.mean > 0 ? (mean - Math.max(0, fastest - one.fastest)) / one.mean : 1;
      full[b] = Math.max(0, Math.min(MOST_FULL, 1 - 1 / slower));
      one.lasts(full[b], elapsed / lastingNanos);
      lasting[b] = one.full;
    }
  }

  /** The number of keys that miss independently of each other, in a query; at least 1. */
  private static double independentKeys(WindowStatistics seen, int backend) {
    double keys = seen.hits(backend) + (double) seen.misses(backend);
    double queries = seen.queries(backend);
    double found = 1 - seen.misses(backend) / keys;
    // Also without any key.
    if (!(found > 0 && found < 1) || queries == 0) {
      return 1;
    }
    // Infinite if all queries wait.
    double independent = Math.log(1 - seen.missQueries(backend) / queries) / Math.log(found);
    return Math.max(1, Math.min(keys / queries, independent));
  }

  private double follow(double usually, double now, double elapsed, double age) {
    if (usually == 0) {
      return now;
    }
    if (elapsed == 0) {
      // The clock jumped back.
      return usually;
    }
    double tau = now < usually ? Math.min(usuallyNanos, age) / RISE_OVER_FALL : usuallyNanos;
    return usually + (now - usually) * -Math.expm1(-elapsed / tau);
  }

  /**
   * The total time of a backend's queries with another share, relative to their time now.
   *
   * @param curve of the backend; without a curve the result is 1
   * @param before its share in bytes
   * @param after the other share in bytes
   */
  double times(int backend, MissCurve curve, double before, double after) {
    if (curve == null) {
      return 1;
    }
    return times(full, backend, curve.missRatio(before), curve.missRatio(after));
  }

  /**
   * The total time of a backend's queries with another miss ratio, relative to their time now, as
   * its utilisation was over a longer time.
   */
  double lasting(int backend, double missesBefore, double missesAfter) {
    return times(lasting, backend, missesBefore, missesAfter);
  }

  private double times(double[] utilisation, int backend, double missesBefore, double missesAfter) {
    boolean known = backend < utilisation.length;
    double rho = known ? utilisation[backend] : 0;
    double keys = known ? independent[backend] : 1;
    double misses = ratio(missesBefore, missesAfter);
    double waits = ratio(waiting(missesBefore, keys), waiting(missesAfter, keys));
    return waits * (1 - rho) / Math.max(LEAST_IDLE, 1 - rho * misses);
  }

  /** The ratio of queries that wait, at a ratio of keys that miss. */
  private static double waiting(double misses, double keys) {
    return 1 - Math.pow(Math.max(0, 1 - misses), keys);
  }

  private static double ratio(double before, double after) {
    return (after + LEAST_RATIO) / (before + LEAST_RATIO);
  }
}
