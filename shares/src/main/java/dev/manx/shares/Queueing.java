/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How full each backend is, from the latency of its misses, and so what fewer misses would spare.
 * Confined to its policy's thread.
 */
final class Queueing {
  /* In the simplest of queues (M/M/1) a query takes 1/(1 - rho) of what it takes without others. So a
   * backend whose misses take R times as long as usual is used to rho = 1 - 1/R more than usual, and
   * with f times the misses its queries would take (1 - rho)/(1 - rho f) of the time: near its capacity
   * two per cent of the misses decide. A backend that answers everything later by a constant does not
   * queue: what its fastest misses (P5) take longer than usual is left out.
   *
   * What is usual follows a fall twelve times as fast as a rise. */
  private static final double RISE_OVER_FALL = 12;
  private static final double FASTEST = 0.05;
  private static final double MOST_FULL = 0.95;
  private static final double LEAST_IDLE = 0.02;
  private static final long LEAST_MISSES = 50;
  private static final double LEAST_RATIO = 0.001;

  private final double usuallyNanos;
  private final Map<String, Usual> usual = new HashMap<>();
  private long lastNanos;
  private double[] full = {};

  /**
   * Of nothing seen.
   *
   * @param usuallyNanos time constant at which a rise becomes usual
   */
  Queueing(long usuallyNanos) {
    this.usuallyNanos = usuallyNanos;
  }

  private static final class Usual {
    private double mean;
    private double fastest;
  }

  /** Takes what was seen since the last call. */
  void update(long nowNanos, WindowStatistics seen) {
    List<String> names = seen.backends();
    usual.keySet().retainAll(names);
    double elapsed = Math.max(0, nowNanos - lastNanos);
    lastNanos = nowNanos;
    full = new double[names.size()];
    for (int b = 0; b < full.length; b++) {
      if (seen.misses(b) < LEAST_MISSES) {
        continue;
      }
      double mean = seen.meanMissNanos(b);
      double fastest = seen.missNanos(b, FASTEST);
      Usual one = usual.computeIfAbsent(names.get(b), name -> new Usual());
      one.mean = follow(one.mean, mean, elapsed);
      one.fastest = follow(one.fastest, fastest, elapsed);
      // Misses that take no time by the clock do not queue.
      double slower = one.mean > 0 ? (mean - Math.max(0, fastest - one.fastest)) / one.mean : 1;
      full[b] = Math.max(0, Math.min(MOST_FULL, 1 - 1 / slower));
    }
  }

  private double follow(double usually, double now, double elapsed) {
    if (usually == 0) {
      return now;
    }
    double tau = now < usually ? usuallyNanos / RISE_OVER_FALL : usuallyNanos;
    return usually + (now - usually) * -Math.expm1(-elapsed / tau);
  }

  /**
   * The total time of a backend's queries with another share, relative to their time now.
   *
   * @param curve of the backend; without one nothing is known, and the answer is 1
   * @param before its share in bytes
   * @param after the other one
   */
  double times(int backend, MissCurve curve, double before, double after) {
    if (curve == null) {
      return 1;
    }
    double misses =
        (curve.missRatio(after) + LEAST_RATIO) / (curve.missRatio(before) + LEAST_RATIO);
    double rho = backend < full.length ? full[backend] : 0;
    return misses * (1 - rho) / Math.max(LEAST_IDLE, 1 - rho * misses);
  }
}
