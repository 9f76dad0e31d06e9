/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * The boost of a bottleneck, {@code beta * ln(1 / (1 - e^(-bottleneck / beta)))}: how much earlier
 * than it did a read is taken to have arrived. Nothing but reads of a table, four entries to an
 * octave, with a straight line between two; at most 1 % of beta off. Sequential.
 */
final class Boosts {
  private final long[] at = new long[Buckets.COUNT + 1];
  private long betaNanos = -1;

  /** Computes the table anew. A beta of 0 boosts nothing, which is arrival order. */
  void beta(long nanos) {
    if (nanos == betaNanos) {
      return;
    }
    betaNanos = nanos;
    for (int bucket = 0; bucket < at.length; bucket++) {
      // -expm1 and log keep their digits where e^(-x) is close to 1.
      double x = (double) Math.max(1, edge(bucket)) / nanos;
      at[bucket] = nanos == 0 ? 0 : Math.round(-nanos * Math.log(-Math.expm1(-x)));
    }
  }

  /** The beta in use, nanoseconds. */
  long betaNanos() {
    return betaNanos;
  }

  /** The boost of a bottleneck of at least 1 ns. */
  long of(long bottleneckNanos) {
    int bucket = Buckets.of(bottleneckNanos);
    long low = edge(bucket);
    long high = edge(bucket + 1);
    double part = (double) (bottleneckNanos - low) / (high - low);
    return at[bucket] - Math.round(part * (at[bucket] - at[bucket + 1]));
  }

  /** The least bottleneck of a bucket; of those that no long reaches, the largest long. */
  private static long edge(int bucket) {
    return bucket >= 248 ? Long.MAX_VALUE : Buckets.lowerEdge(bucket);
  }
}
