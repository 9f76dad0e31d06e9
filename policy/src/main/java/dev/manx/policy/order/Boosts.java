/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * The boost of a bottleneck, {@code beta * ln(1 / (1 - e^(-bottleneck / beta)))}: how far a read's
 * arrival time is moved back. Looked up in a table with four entries per octave and linear
 * interpolation; the error is at most 1 % of beta. Sequential.
 */
final class Boosts {
  private final long[] at = new long[Buckets.COUNT + 1];
  private long betaNanos = -1;

  /** Boosts whose beta does not change. */
  static Boosts fixed(long betaNanos) {
    Boosts boosts = new Boosts();
    boosts.beta(betaNanos);
    return boosts;
  }

  /** Recomputes the table. A beta of 0 gives no boost, which is arrival order. */
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

  /** The boost of a bottleneck of at least 1 ns. */
  long of(long bottleneckNanos) {
    int bucket = Buckets.of(bottleneckNanos);
    long low = edge(bucket);
    long high = edge(bucket + 1);
    double part = (double) (bottleneckNanos - low) / (high - low);
    return at[bucket] - Math.round(part * (at[bucket] - at[bucket + 1]));
  }

  /** The least bottleneck of a bucket; {@link Long#MAX_VALUE} if it exceeds a long. */
  private static long edge(int bucket) {
    return bucket >= 248 ? Long.MAX_VALUE : Buckets.lowerEdge(bucket);
  }
}
