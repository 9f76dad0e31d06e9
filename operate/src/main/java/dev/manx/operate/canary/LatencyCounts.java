/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A histogram of request latencies: each key counts the requests longer than the previous key and
 * at most as long as this key, in microseconds. Histograms of several nodes can be added.
 */
public final class LatencyCounts {
  private final SortedMap<Long, Long> counts = new TreeMap<>();
  private long count;

  /** Adds a node's buckets. */
  public void add(Map<Long, Long> buckets) {
    buckets.forEach(
        (upTo, more) -> {
          counts.merge(upTo, more, Long::sum);
          count += more;
        });
  }

  /**
   * The requests counted since an earlier state; all of them if the counters were reset in the
   * meantime, as by a restart.
   */
  public LatencyCounts since(LatencyCounts before) {
    LatencyCounts later = new LatencyCounts();
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

  /** The number of requests. */
  public long count() {
    return count;
  }

  /** The buckets, shortest first. */
  public SortedMap<Long, Long> buckets() {
    return counts;
  }

  /** A quantile, as the upper end of its bucket, microseconds; 0 without requests. */
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
