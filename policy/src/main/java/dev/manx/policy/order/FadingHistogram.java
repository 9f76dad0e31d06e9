/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Values of at least 0 in {@link Buckets}, with their 99th percentile. Older values fade: over many
 * values, the last hundred thousand count. Sequential.
 */
final class FadingHistogram {
  private static final int MANY = 131_072;
  private static final double QUANTILE = 0.99;

  private final int[] counts = new int[Buckets.COUNT];
  private int total;

  /** Counts a value. */
  void add(long value) {
    counts[Buckets.of(value)]++;
    total++;
  }

  /** Counts a value several times; earlier values fade as in {@link #fade}. */
  void add(long value, long times) {
    int most = (int) Math.min(MANY, times);
    counts[Buckets.of(value)] += most;
    total += most;
    fade();
  }

  /** Halves all counts if there are many. */
  void fade() {
    if (total >= MANY) {
      total = 0;
      for (int i = 0; i < counts.length; i++) {
        counts[i] /= 2;
        total += counts[i];
      }
    }
  }

  /** The 99th percentile, interpolated inside its bucket; 0 without values. */
  double p99() {
    double wanted = QUANTILE * total;
    double seen = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      if (counts[bucket] > 0 && seen + counts[bucket] >= wanted) {
        double part = (wanted - seen) / counts[bucket];
        long low = Buckets.lowerEdge(bucket);
        return low + part * (Buckets.lowerEdge(bucket + 1) - low);
      }
      seen += counts[bucket];
    }
    return 0;
  }
}
