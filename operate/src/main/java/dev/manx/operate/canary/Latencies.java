/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How long requests took, counted in buckets: so many were longer than the key before and at most
 * as long as this key, microseconds. Those of several nodes can be added up.
 */
final class Latencies {
  private final SortedMap<Long, Long> counts = new TreeMap<>();
  private long count;

  /** Adds what a node counted. */
  void add(Map<Long, Long> buckets) {
    buckets.forEach(
        (upTo, more) -> {
          counts.merge(upTo, more, Long::sum);
          count += more;
        });
  }

  /** How many requests. */
  long count() {
    return count;
  }

  /** Their buckets, the shortest first. */
  SortedMap<Long, Long> buckets() {
    return counts;
  }

  /** A quantile, as the upper end of its bucket, microseconds; 0 without a request. */
  long quantileMicros(double quantile) {
    long rank = Math.max(1, (long) Math.ceil(count * quantile));
    long seen = 0;
    for (Map.Entry<Long, Long> bucket : counts.entrySet()) {
      seen += bucket.getValue();
      if (seen >= rank) {
        return bucket.getKey();
      }
    }
    return 0;
  }
}
