/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How long requests took, counted in buckets: so many were longer than the key before and at most
 * as long as this key, microseconds. Those of several nodes can be added up.
 */
public final class Latencies {
  private final SortedMap<Long, Long> counts = new TreeMap<>();
  private long count;

  /** Adds what a node counted. */
  public void add(Map<Long, Long> buckets) {
    buckets.forEach(
        (upTo, more) -> {
          counts.merge(upTo, more, Long::sum);
          count += more;
        });
  }

  /**
   * Those that were counted after an earlier look; all of them if the counts began anew meanwhile,
   * as they do at a restart.
   */
  public Latencies since(Latencies before) {
    Latencies later = new Latencies();
    for (Map.Entry<Long, Long> bucket : before.counts.entrySet()) {
      if (bucket.getValue() > counts.getOrDefault(bucket.getKey(), 0L)) {
        later.add(counts);
        return later;
      }
    }
    Map<Long, Long> more = new TreeMap<>();
    counts.forEach(
        (upTo, all) -> {
          long since = all - before.counts.getOrDefault(upTo, 0L);
          if (since > 0) {
            more.put(upTo, since);
          }
        });
    later.add(more);
    return later;
  }

  /** How many requests. */
  public long count() {
    return count;
  }

  /** Their buckets, the shortest first. */
  public SortedMap<Long, Long> buckets() {
    return counts;
  }

  /** A quantile, as the upper end of its bucket, microseconds; 0 without a request. */
  public long quantileMicros(double quantile) {
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
