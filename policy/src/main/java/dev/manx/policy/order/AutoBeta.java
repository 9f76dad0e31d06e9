/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Finds {@code order.boost} its beta from what this queue sees, without word from other nodes:
 * {@code beta = 1.3 * sigma^3 * W99}. Sequential; recomputed every 1,024 reads, and more often
 * among the first; the waits over all reads at first and then over the last hundred thousand, the
 * bottlenecks over some sixteen thousand.
 */
/*
 * W99 is the 99th percentile of the waits that arrival order would have given: the k-th read polled
 * is set against the k-th that arrived. How many reads are polled by when depends little on their
 * order, so beta does not feed back on itself. It needs a long memory: bursts last thousands of reads,
 * and a beta that grows in a burst makes wide requests wait just when they wait longest.
 *
 * sigma is the standard deviation of the logarithm of the requests' bottlenecks, in buckets of a
 * quarter octave. A read counts for the part of its bottleneck that it is itself, so that a request
 * counts for at most one in each queue, however many reads it has there. The logarithm keeps a few
 * huge values from deciding: they say nothing about the many.
 *
 * Why this form: boosts work on the scale of waits, so beta has to be a multiple of these. Where
 * requests are alike (sigma of a half) reordering can only take from one to give to another of the
 * same right, and the theory's beta, a small part of W99, is close to arrival order. Where
 * bottlenecks spread over orders of magnitude (sigma of 1 and more) the widest requests are so few
 * that the 99th percentile wants them to wait, and beta is larger than W99. Power and factor fit
 * simulations with fixed, geometric, two-valued and Pareto fan-outs: docs/research/manx.md.
 */
final class AutoBeta {
  private static final double FACTOR = 1.3;

  /** Width of a bucket on the logarithmic scale, nearly. */
  private static final double BUCKET = Math.log(2) / 4;

  private static final double MOST_TIMES_W99 = 8;
  private static final int FIRST = 256;
  private static final int EVERY = 1_024;
  private static final int MANY = 131_072;
  private static final double WEIGHT = 1.0 / 16_384;
  private static final double QUANTILE = 0.99;

  private final int[] waits = new int[Buckets.COUNT];
  private int waitsTotal;
  private int sinceComputed;
  // A queue that has just begun, or whose strategy was switched, is in a hurry: at first it
  // doubles.
  private int computedEvery = FIRST;
  private double weights;
  private double sum;
  private double sumOfSquares;
  private long betaNanos;

  // When reads that were not yet polled arrived, were it first-in first-out: a ring.
  private long[] arrivals = new long[64];
  private int oldest;
  private int waiting;
  private long leftNanos;

  /** A read was queued. */
  void arrived(long arrivalNanos, long costNanos, long bottleneckNanos) {
    if (waiting == arrivals.length) {
      grow();
    }
    arrivals[oldest + waiting++ & arrivals.length - 1] = arrivalNanos;
    double weight = Math.min(1, Math.max(0, (double) costNanos / bottleneckNanos));
    int bucket = Buckets.of(bottleneckNanos);
    // All three begin at 0, which cancels in their quotients.
    weights += WEIGHT * (weight - weights);
    sum += WEIGHT * (weight * bucket - sum);
    sumOfSquares += WEIGHT * (weight * bucket * bucket - sumOfSquares);
  }

  /** A read left the queue, polled or not. */
  void left() {
    leftNanos = arrivals[oldest];
    oldest = oldest + 1 & arrivals.length - 1;
    waiting--;
  }

  /** The read that left last was polled. */
  void served(long nowNanos) {
    waits[Buckets.of(nowNanos - leftNanos)]++;
    waitsTotal++;
    if (++sinceComputed == computedEvery) {
      sinceComputed = 0;
      computedEvery = Math.min(EVERY, computedEvery * 2);
      compute();
    }
  }

  /** The beta of now; 0, which is arrival order, until there is enough to go by. */
  long betaNanos() {
    return betaNanos;
  }

  private void compute() {
    if (weights > 0) {
      double mean = sum / weights;
      double variance = Math.max(0, sumOfSquares / weights - mean * mean) * BUCKET * BUCKET;
      double times = Math.min(MOST_TIMES_W99, FACTOR * variance * Math.sqrt(variance));
      betaNanos = Math.round(times * quantile());
    }
    if (waitsTotal >= MANY) {
      waitsTotal = 0;
      for (int i = 0; i < waits.length; i++) {
        waits[i] /= 2;
        waitsTotal += waits[i];
      }
    }
  }

  /** Interpolated inside its bucket. */
  private double quantile() {
    double wanted = QUANTILE * waitsTotal;
    double seen = 0;
    for (int bucket = 0; bucket < waits.length; bucket++) {
      if (waits[bucket] > 0 && seen + waits[bucket] >= wanted) {
        double part = (wanted - seen) / waits[bucket];
        long low = Buckets.lowerEdge(bucket);
        return low + part * (Buckets.lowerEdge(bucket + 1) - low);
      }
      seen += waits[bucket];
    }
    return 0;
  }

  private void grow() {
    long[] wider = new long[arrivals.length * 2];
    for (int i = 0; i < waiting; i++) {
      wider[i] = arrivals[oldest + i & arrivals.length - 1];
    }
    arrivals = wider;
    oldest = 0;
  }
}
