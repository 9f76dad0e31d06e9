/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How sure it is in which bucket a quantile lies of the distribution that latencies come from.
 *
 * @param places buckets with their weight, the shortest latency first; the weights sum to 1
 */
record Confidence(List<Place> places) {
  /**
   * A bucket, or what lies beyond all.
   *
   * @param from its lower end, microseconds
   * @param to its upper end; infinite beyond the longest latency
   * @param weight how sure it is that the quantile lies here
   */
  record Place(double from, double to, double weight) {}

  /*
   * The quantile q is at most x if and only if a request is at most x with probability q or more. The
   * number of requests longer than x is binomial, so how many of them were seen says how sure that is:
   * the order-statistics interval of a quantile (Hahn and Meeker, Statistical Intervals, 1991, section 5.2),
   * for every confidence at once, with the mid-p convention for its steps.
   */
  static Confidence of(Latencies latencies, double quantile) {
    long n = latencies.count();
    long longer = n;
    double before = 1 - Binomial.mid(n, 1 - quantile, longer);
    List<Place> places = new ArrayList<>();
    // Below the shortest that was seen.
    places.add(new Place(0, 0, before));
    long from = 0;
    for (Map.Entry<Long, Long> bucket : latencies.buckets().entrySet()) {
      longer -= bucket.getValue();
      double now = 1 - Binomial.mid(n, 1 - quantile, longer);
      if (bucket.getValue() > 0) {
        // Whole microseconds were counted, so the bucket ends just before the next one.
        places.add(new Place(from, bucket.getKey() + 1, now - before));
      }
      before = now;
      from = bucket.getKey() + 1;
    }
    places.add(new Place(from, Double.POSITIVE_INFINITY, 1 - before));
    return new Confidence(places);
  }
}
