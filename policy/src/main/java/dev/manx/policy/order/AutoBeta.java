/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Finds the beta of {@code order.boost} from this queue's measurements, without data from other
 * nodes: {@code beta = sigma^2 * max(30 * S^1.5 * W99, min(70 * S * B, 1.5 * W99))}, at most 8 *
 * W99; the number of waiting reads from which the queue is long, {@code L99 * (0.12 / S)^1.5}, at
 * least 16; and the wait in arrival order that shows an overload, {@code 2 * W99}, at least half a
 * second. Sequential; recomputed every 1,024 reads, and more often at the start. Everything is
 * measured over all reads at first, and later over the last hundred thousand.
 */
/*
 * W99 is the 99th percentile of the waits that arrival order would have given: the k-th read polled
 * is paired with the k-th that arrived, apart from reads that were dropped, as copies are when
 * their twin starts. The number of reads polled by a given time depends little on their order, so
 * beta does not feed back on itself. W99 needs a long memory: bursts last thousands of reads, and a
 * beta that grows in a burst makes wide requests wait just when they wait longest. L99 is the 99th
 * percentile of the number of reads that wait when one is polled. Both are percentiles of all
 * reads, also of those that a host serves without queueing them; bottlenecks are only known of
 * queued ones.
 *
 * sigma is the standard deviation of the logarithm of the requests' bottlenecks, in buckets of a
 * quarter octave. A read counts with its share of its bottleneck, so that a request counts at most
 * once in each queue, however many reads it has there. The logarithm keeps a few huge values, which
 * say little about the majority, from dominating.
 *
 * S is the share of the work that belongs to the hundredth of requests with the longest
 * bottlenecks. Sigma does not show how far the tail reaches: it hardly changes if the widest
 * requests have 100 reads and not 500.
 *
 * Why this form: boosts act on the scale of waits, so beta must be a multiple of them. If requests
 * are alike (sigma of 0.5), reordering only shifts delay between requests of equal importance, and
 * the theory's beta, a small part of W99, is close to arrival order. The 99th percentile ignores
 * the widest hundredth of requests. All others gain from their waiting if much of the work is
 * theirs (S of 0.1 and more), and beta is larger than W99; if little is (0.05), many others would
 * have to wait as well.
 *
 * A multiple of the mean bottleneck B is the least: where waits are short compared with the
 * requests' own time, as in the theory at low load, wide requests hardly notice that narrow ones go
 * first. The same holds on a slow node, where bottlenecks are longer, and S is smaller because the
 * selector keeps single reads away. The multiple is no longer than one and a half times W99, for
 * single reads whose forecasts say little about them.
 *
 * In a long queue the widest requests wait long in any order, so the others need not wait for them.
 * If S is 0.12, the queue becomes long when it is longer than 99 of 100 times; if requests are
 * alike, it almost never does.
 *
 * An overload shows by waits that are long for this queue. On slow storage a burst of a few wide
 * requests causes waits of half a second, which is not a reason to let these requests wait for all
 * others.
 *
 * Powers and factors fit simulations with fixed, geometric, two-valued, lognormal and Pareto
 * fan-outs: docs/research/manx.md.
 *
 * A queue that has measured few reads may have met one burst or one huge request. Arrival order
 * therefore weighs as much as 256 reads: after n reads, beta is n / (n + 256) of the above, and the
 * length is divided by that.
 */
final class AutoBeta {
  private static final double FACTOR = 30;
  private static final double POWER = 1.5;
  private static final double WIDEST = 0.01;
  private static final double LEAST_BOTTLENECKS = 70;
  private static final double LEAST_TIMES_W99 = 1.5;
  private static final double TYPICAL_SHARE = 0.12;
  private static final long LEAST_LONG_QUEUE = 16;
  private static final double LATE_TIMES_W99 = 2;
  private static final double LEAST_LATE_NANOS = 500e6;

  /** Approximate width of a bucket on the logarithmic scale. */
  private static final double BUCKET = Math.log(2) / 4;

  private static final double MOST_TIMES_W99 = 8;
  private static final int FIRST = 256;
  private static final int EVERY = 1_024;
  private static final int MANY = 131_072;

  private final FadingHistogram waits = new FadingHistogram();
  private final FadingHistogram lengths = new FadingHistogram();
  private int sinceComputed;
  // A new queue, or one whose strategy was switched, adapts quickly: at first the interval doubles.
  private int computedEvery = FIRST;
  // By bucket of the bottleneck.
  private final double[] requests = new double[Buckets.COUNT];
  private final double[] work = new double[Buckets.COUNT];
  private int arrivalsTotal;
  private double requestsTotal;
  private double workTotal;
  private double variance;
  private double meanBottleneck;
  private long polled;
  private long betaNanos;
  private long longQueue = Long.MAX_VALUE;
  private long lateNanos = Long.MAX_VALUE;

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
    requests[bucket] += weight;
    work[bucket] += Math.max(0, costNanos);
    if (++arrivalsTotal == MANY) {
      arrivalsTotal /= 2;
      for (int i = 0; i < requests.length; i++) {
        requests[i] /= 2;
        work[i] /= 2;
      }
    }
  }

  /**
   * Records that a read left the queue without being polled, such as a copy whose twin has started.
   * Takes time in proportion to the reads between it and the nearer end of the queue.
   */
  void dropped(long arrivalNanos) {
    // It left from its own place in arrival order; if that place counted as polled already, the
    // oldest read would have been polled in its stead.
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

  /**
   * Records reads that found a free thread and were not queued: they have not waited, and each of
   * them would have been alone in the queue.
   */
  void unqueued(long reads) {
    if (reads > 0) {
      waits.add(0, reads);
      lengths.add(1, reads);
    }
  }

  /** How long the next read polled would have waited in arrival order. */
  long waitNanos(long nowNanos) {
    return nowNanos - arrivals[oldest];
  }

  /** Records that a read was polled. */
  void served(long nowNanos) {
    lengths.add(waiting);
    waits.add(nowNanos - removeOldest());
    polled++;
    if (++sinceComputed == computedEvery) {
      sinceComputed = 0;
      computedEvery = Math.min(EVERY, computedEvery * 2);
      compute();
    }
  }

  /** Records that a read was polled at a time that is not representative. */
  void passed() {
    removeOldest();
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

  /**
   * The number of waiting reads from which the queue is long; {@link Long#MAX_VALUE} until enough
   * reads were measured.
   */
  long longQueue() {
    return longQueue;
  }

  /**
   * The wait in arrival order that shows an overload; {@link Long#MAX_VALUE} until enough reads
   * were measured.
   */
  long lateNanos() {
    return lateNanos;
  }

  private void compute() {
    sum();
    double share = shareOfWidest();
    double w99 = waits.p99();
    double least = Math.min(LEAST_BOTTLENECKS * share * meanBottleneck, LEAST_TIMES_W99 * w99);
    double scale = Math.max(FACTOR * Math.pow(share, POWER) * w99, least);
    double beta = Math.min(variance * scale, MOST_TIMES_W99 * w99);
    double known = (double) polled / (polled + FIRST);
    betaNanos = Math.round(beta * known);
    double length =
        lengths.p99() * Math.pow(TYPICAL_SHARE / Math.max(Double.MIN_NORMAL, share), POWER) / known;
    longQueue = Math.max(LEAST_LONG_QUEUE, Math.round(length));
    lateNanos = Math.round(Math.max(LEAST_LATE_NANOS, LATE_TIMES_W99 * w99));
    waits.fade();
    lengths.fade();
  }

  /** Computes the sums over all buckets; all are 0 without requests. */
  private void sum() {
    requestsTotal = 0;
    workTotal = 0;
    double first = 0;
    double second = 0;
    for (int bucket = 0; bucket < requests.length; bucket++) {
      requestsTotal += requests[bucket];
      workTotal += work[bucket];
      first += requests[bucket] * bucket;
      second += requests[bucket] * bucket * bucket;
    }
    double total = Math.max(Double.MIN_NORMAL, requestsTotal);
    double mean = first / total;
    variance = Math.max(0, second / total - mean * mean) * BUCKET * BUCKET;
    meanBottleneck = workTotal / total;
  }

  /** The part of the work that the widest hundredth of the requests have. */
  private double shareOfWidest() {
    double left = WIDEST * requestsTotal;
    double theirs = 0;
    for (int bucket = requests.length - 1; bucket >= 0 && left > 0; bucket--) {
      if (requests[bucket] > 0) {
        theirs += work[bucket] * Math.min(1, left / requests[bucket]);
        left -= requests[bucket];
      }
    }
    return workTotal == 0 ? 0 : theirs / workTotal;
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
