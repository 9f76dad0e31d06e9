/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/**
 * The shares that backends would have in one LRU cache, from their miss curves and rates of
 * queries.
 */
final class SharedShares {
  /* In a shared LRU the oldest entries of all backends are equally old. The bytes of a backend that
   * were used within a time t grow by those of its misses in a cache of that size (Denning and
   * Schwartz, CACM 1972): dx/dt = q s m(x), with queries q per second, objects of s bytes and miss
   * ratio m. So the age of a share of x bytes is the integral of dy / (q s m(y)) from 0 to x, and
   * the shares have equal age and add up to the capacity. */
  private static final int HALVINGS = 60;
  private static final double LEAST_MISS_RATIO = 1e-6;

  private SharedShares() {}

  /**
   * By backend, with the sum of {@code view.allocated()}; null if no queried backend has a curve. A
   * queried backend without a curve keeps its share.
   */
  static double[] of(ShareView view) {
    int n = view.backends();
    double capacity = 0;
    double[] kept = new double[n];
    double[][] ages = new double[n][];
    for (int b = 0; b < n; b++) {
      capacity += view.allocated()[b];
      double queries = view.statistics().hits(b) + (double) view.statistics().misses(b);
      if (queries > 0) {
        MissCurve curve = view.curves().get(b);
        kept[b] = curve == null ? view.allocated()[b] : 0;
        capacity -= kept[b];
        ages[b] = curve == null ? null : ages(curve, queries);
      }
    }
    double oldest = 0;
    for (int b = 0; b < n; b++) {
      oldest = ages[b] == null ? oldest : Math.max(oldest, age(view, ages[b], b, capacity));
    }
    if (!(oldest > 0)) {
      return null;
    }
    double low = 0;
    double high = oldest;
    double[] shares = new double[n];
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (fill(view, ages, middle, shares) < capacity) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double sum = fill(view, ages, high, shares);
    for (int b = 0; b < n; b++) {
      shares[b] = kept[b] + (sum > 0 ? shares[b] * capacity / sum : capacity / n);
    }
    return shares;
  }

  /** Ages of a share at the curve's points, in windows of statistics. */
  private static double[] ages(MissCurve curve, double queries) {
    double[] bytes = curve.bytes();
    double[] ages = new double[bytes.length];
    for (int i = 1; i < bytes.length; i++) {
      double ratio = (curve.missRatio(bytes[i - 1]) + curve.missRatio(bytes[i])) / 2;
      ages[i] = ages[i - 1] + (bytes[i] - bytes[i - 1]) / speed(curve, queries, ratio);
    }
    return ages;
  }

  private static double speed(MissCurve curve, double queries, double missRatio) {
    return queries * curve.objectBytes() * Math.max(LEAST_MISS_RATIO, missRatio);
  }

  /** Lower bound of the age of a share of the given size. */
  private static double age(ShareView view, double[] ages, int backend, double space) {
    double[] bytes = view.curves().get(backend).bytes();
    int last = bytes.length - 1;
    return ages[last] + beyond(view, backend, Math.max(0, space - bytes[last]));
  }

  private static double beyond(ShareView view, int backend, double more) {
    MissCurve curve = view.curves().get(backend);
    double queries = view.statistics().hits(backend) + (double) view.statistics().misses(backend);
    return more / speed(curve, queries, curve.missRatio(Double.MAX_VALUE));
  }

  private static double fill(ShareView view, double[][] ages, double age, double[] shares) {
    double sum = 0;
    for (int b = 0; b < shares.length; b++) {
      shares[b] = ages[b] == null ? 0 : space(view, ages[b], b, age);
      sum += shares[b];
    }
    return sum;
  }

  private static double space(ShareView view, double[] ages, int backend, double age) {
    MissCurve curve = view.curves().get(backend);
    double[] bytes = curve.bytes();
    int last = bytes.length - 1;
    if (age >= ages[last]) {
      double one = beyond(view, backend, 1);
      return bytes[last] + (age - ages[last]) / one;
    }
    int next = 1;
    while (ages[next] < age) {
      next++;
    }
    double part = (age - ages[next - 1]) / (ages[next] - ages[next - 1]);
    return bytes[next - 1] + part * (bytes[next] - bytes[next - 1]);
  }
}
