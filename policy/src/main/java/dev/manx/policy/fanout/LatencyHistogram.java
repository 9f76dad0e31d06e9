/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Latencies in logarithmic buckets, eight to an octave (a bucket spans at most an eighth of its
 * lower edge), with weights. Lock-free; allocates nothing; a few kilobytes.
 */
final class LatencyHistogram {
  private static final int PER_OCTAVE = 8;
  private static final int SHIFT = 3;
  private static final int BUCKETS = 62 * PER_OCTAVE;
  private static final int BEYOND = BUCKETS;

  private final AtomicLongArray weights = new AtomicLongArray(BUCKETS + 1);

  void add(long nanos, long weight) {
    weights.addAndGet(bucket(nanos), weight);
  }

  /** Adds a latency of which only a lower bound is known, longer than any requested quantile. */
  void addBeyond(long weight) {
    weights.addAndGet(BEYOND, weight);
  }

  long total() {
    long total = 0;
    for (int i = 0; i <= BEYOND; i++) {
      total += weights.get(i);
    }
    return total;
  }

  /**
   * The upper edge of a quantile's bucket; {@link Long#MAX_VALUE} if it lies beyond all buckets.
   */
  long quantile(double quantile) {
    double wanted = quantile * total();
    long seen = 0;
    for (int i = 0; i < BUCKETS; i++) {
      seen += weights.get(i);
      if (seen > 0 && seen >= wanted) {
        return edge(i + 1);
      }
    }
    return Long.MAX_VALUE;
  }

  /** Divides all weights; concurrent additions are kept. */
  void divide(long by) {
    // A bucket's remainder goes to the next lower one: the tail has few latencies in many buckets,
    // and would lose most of them.
    long rest = 0;
    for (int i = BEYOND; i >= 0; i--) {
      long seen = weights.get(i);
      weights.addAndGet(i, (seen + rest) / by - seen);
      rest = (seen + rest) % by;
    }
  }

  private static int bucket(long nanos) {
    if (nanos < PER_OCTAVE) {
      return (int) Math.max(0, nanos);
    }
    int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    return (octave - SHIFT + 1) * PER_OCTAVE + (int) (nanos >>> (octave - SHIFT) & 7);
  }

  private static long edge(int bucket) {
    if (bucket < PER_OCTAVE) {
      return bucket;
    }
    int octave = bucket / PER_OCTAVE + SHIFT - 1;
    return (1L << octave) + ((long) (bucket % PER_OCTAVE) << (octave - SHIFT));
  }
}
