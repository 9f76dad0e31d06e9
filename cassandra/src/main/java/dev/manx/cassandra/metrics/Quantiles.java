/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import java.util.List;

/**
 * Quantiles of latency in microseconds, 0 where nothing was counted.
 *
 * @param count requests
 * @param p99Low the lower end of the 99th percentile's 95 % interval
 * @param p99High its upper end
 */
public record Quantiles(long count, long p50, long p95, long p99, long p99Low, long p99High) {
  /** Of all that the buckets counted. */
  static Quantiles of(List<Buckets> parts) {
    long[] sum = new long[Buckets.SIZE];
    parts.forEach(part -> Buckets.add(part.all(), sum));
    BucketSnapshot all = new BucketSnapshot(sum);
    return new Quantiles(
        all.count(),
        (long) all.getValue(0.5),
        (long) all.getValue(0.95),
        (long) all.getValue(0.99),
        (long) all.low(0.99),
        (long) all.high(0.99));
  }
}
