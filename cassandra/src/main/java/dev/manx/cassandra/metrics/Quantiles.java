/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Quantiles of latency in microseconds, 0 if nothing was counted.
 *
 * @param count number of requests
 * @param p99Low the lower end of the 99th percentile's 95 % interval
 * @param p99High its upper end
 * @param buckets the underlying counts: requests above the previous key and at most this key, in
 *     microseconds; keys without a count are omitted unless the next one has a count
 */
public record Quantiles(
    long count,
    long p50,
    long p95,
    long p99,
    long p99Low,
    long p99High,
    SortedMap<Long, Long> buckets) {
  /** Computes them from all counts of the buckets. */
  static Quantiles of(List<DurationCounts> parts) {
    long[] sum = new long[DurationCounts.SIZE];
    parts.forEach(part -> DurationCounts.add(part.all(), sum));
    BucketSnapshot all = new BucketSnapshot(sum);
    return new Quantiles(
        all.count(),
        (long) all.getValue(0.5),
        (long) all.getValue(0.95),
        (long) all.getValue(0.99),
        (long) all.low(0.99),
        (long) all.high(0.99),
        buckets(sum));
  }

  private static SortedMap<Long, Long> buckets(long[] counts) {
    SortedMap<Long, Long> buckets = new TreeMap<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        if (i > 0) {
          buckets.putIfAbsent(DurationCounts.mostMicros(i - 1), 0L);
        }
        buckets.put(DurationCounts.mostMicros(i), counts[i]);
      }
    }
    return buckets;
  }
}
