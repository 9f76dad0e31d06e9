/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Finds the beta of {@code order.boost} from this queue's measurements, without data from other
 * nodes: {@code beta = 1.3 * sigma^3 * W99}. Sequential; recomputed every 1,024 reads, and more
 * often at the start. Waits are taken over all reads at first and later over the last hundred
 * thousand, bottlenecks over some sixteen thousand.
 */
/*
 * W99 is the 99th percentile of the waits that arrival order would have given: the k-th read polled
 * is paired with the k-th that arrived, apart from reads that were dropped, as copies are when their
 * twin starts. The number of reads polled by a given time depends little on their order, so beta
 * does not feed back on itself. W99 needs a long memory: bursts last thousands of reads, and a beta
 * that grows in a burst makes wide requests wait just when they wait longest.
 *
 * sigma is the standard deviation of the logarithm of the requests' bottlenecks, in buckets of a
 * quarter octave. A read counts with its share of its bottleneck, so that a request counts at most
 * once in each queue, however many reads it has there. The logarithm keeps a few huge values, which
 * say little about the majority, from dominating.
 *
 * Why this form: boosts act on the scale of waits, so beta must be a multiple of them. If requests
 * are alike (sigma of 0.5), reordering only shifts delay between requests of equal importance, and
 * the theory's beta, a small part of W99, is close to arrival order. If bottlenecks spread over
 * orders of magnitude (sigma of 1 and more), the widest requests are so few that the 99th
 * percentile improves when they wait, and beta is larger than W99. Power and factor fit simulations
 * with fixed, geometric, two-valued and Pareto fan-outs: docs/research/manx.md.
 */
final class AutoBeta {
  private static final double FACTOR = 1.3;

  /** Approximate width of a bucket on the logarithmic scale. */
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
  // A new queue, or one whose strategy was switched, adapts quickly: at first the interval doubles.
  private int computedEvery = FIRST;
  private double weights;
  private double sum;
  private double sumOfSquares;
  private long betaNanos;

  // Arrival times of reads not yet polled in first-in first-out order: a ring.
  private long[] arrivals = new long[64];
  private int oldest;
  private int waiting;

  /** Records that a read was queued. */
  void arrived(long arrivalNanos, long costNanos, long bottleneckNanos) {
    if (waiting == arrivals.length) {
      grow();
    }
    arrivals[at(waiting++)] = arrivalNanos;
    double weight = Math.min(1, Math.max(0, (double) costNanos / bottleneckNanos));
    int bucket = Buckets.of(bottleneckNanos);
    // All three begin at 0; the resulting bias cancels in their quotients.
    weights += WEIGHT * (weight - weights);
    sum += WEIGHT * (weight * bucket - sum);
    sumOfSquares += WEIGHT * (weight * bucket * bucket - sumOfSquares);
  }

  /**
   * Records that a read left the queue without being polled, such as a copy whose twin has started.
   * Takes time in proportion to the reads between it and the nearer end of the queue.
   */
  void dropped(long arrivalNanos) {
    // It left from its own place in arrival order; if it was polled there already, the oldest read
    // would have been polled in its stead.
    int place = 0;
    for (int above = waiting; above - place > 1; ) {
      int middle = (place + above) >>> 1;
      if (arrivals[at(middle)] - arrivalNanos > 0) {
        above = middle;
      } else {
        place = middle;
      }
    }
    if (place < waiting / 2) {
      for (; place > 0; place--) {
        arrivals[at(place)] = arrivals[at(place - 1)];
      }
      removeOldest();
    } else {
      waiting--;
      for (; place < waiting; place++) {
        arrivals[at(place)] = arrivals[at(place + 1)];
      }
    }
  }

  /** Records that a read was polled. */
  void served(long nowNanos) {
    waits[Buckets.of(nowNanos - removeOldest())]++;
    waitsTotal++;
    if (++sinceComputed == computedEvery) {
      sinceComputed = 0;
      computedEvery = Math.min(EVERY, computedEvery * 2);
      compute();
    }
  }

  private long removeOldest() {
    long arrivalNanos = arrivals[oldest];
    oldest = at(1);
    waiting--;
    return arrivalNanos;
  }

  private int at(int place) {
    return oldest + place & arrivals.length - 1;
  }

  /** The present beta; 0, which is arrival order, until enough reads were measured. */
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

  /** The quantile, interpolated inside its bucket. */
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
      wider[i] = arrivals[at(i)];
    }
    arrivals = wider;
    oldest = 0;
  }
}
