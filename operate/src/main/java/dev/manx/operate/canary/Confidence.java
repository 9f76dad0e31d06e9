/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The confidence distribution of a quantile over histogram buckets, for the distribution behind the
 * measured latencies.
 *
 * @param places buckets with their weights, shortest latency first; the weights sum to 1
 */
record Confidence(List<Place> places) {
  /**
   * A bucket, or the range beyond all buckets.
   *
   * @param from its lower end, microseconds
   * @param to its upper end; infinite beyond the longest latency
   * @param weight probability that the quantile lies here
   */
  record Place(double from, double to, double weight) {}

  /* The quantile q is at most x if and only if a request is at most x with probability q or more.
   * The number of requests longer than x is binomial, so the observed number determines the
   * confidence: the order-statistics interval of a quantile (Hahn and Meeker, Statistical
   * Intervals, 1991, section 5.2), for every confidence level at once, with the mid-p convention
   * for its steps. */
  static Confidence of(LatencyCounts latencies, double quantile) {
    long n = latencies.count();
    long longer = n;
    double before = 1 - Binomial.mid(n, 1 - quantile, longer);
    List<Place> places = new ArrayList<>();
    // Below the shortest observed latency.
    places.add(new Place(0, 0, before));
    long from = 0;
    for (Map.Entry<Long, Long> bucket : latencies.buckets().entrySet()) {
      longer -= bucket.getValue();
      double now = 1 - Binomial.mid(n, 1 - quantile, longer);
      if (bucket.getValue() > 0) {
        // Latencies are whole microseconds, so the bucket ends just before the next value.
        places.add(new Place(from, bucket.getKey() + 1, now - before));
      }
      before = now;
      from = bucket.getKey() + 1;
    }
    places.add(new Place(from, Double.POSITIVE_INFINITY, 1 - before));
    return new Confidence(places);
  }
}
