/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import java.util.random.RandomGenerator;

/**
 * A hundred latencies of one node, sampled in favour of recent ones, and their weighted median: the
 * reservoir that Cassandra takes from Dropwizard Metrics (forward decay, Cormode et al.).
 *
 * <p>A sample of second t weighs {@code exp(alpha t)}; the samples with the largest weight divided
 * by a number drawn from (0, 1] stay. Weights are kept as logarithms, so they neither overflow nor
 * need rescaling. Threads: any; adding and querying lock this reservoir only.
 */
final class DecayingReservoir {
  static final int SIZE = 100;
  private static final double ALPHA = 0.75;

  private final RandomGenerator random;
  private final double[] priority = new double[SIZE];
  private final double[] logWeight = new double[SIZE];
  private final long[] value = new long[SIZE];
  private final double[] sortedLogWeight = new double[SIZE];
  private final long[] sortedValue = new long[SIZE];
  private int count;
  private boolean changed;
  private long median;

  DecayingReservoir(RandomGenerator random) {
    this.random = random;
  }

  /** Adds a sample; seconds are whole and count from a fixed moment. */
  synchronized void add(long sample, long second) {
    double weight = ALPHA * second;
    double drawn = weight - Math.log(1 - random.nextDouble());
    if (count < SIZE) {
      count++;
      put(count - 1, drawn, weight, sample);
      changed = true;
      return;
    }
    int least = 0;
    for (int i = 1; i < SIZE; i++) {
      if (priority[i] < priority[least]) {
        least = i;
      }
    }
    if (drawn > priority[least]) {
      put(least, drawn, weight, sample);
      changed = true;
    }
  }

  /**
   * The sample at the largest position before which at most half of the weight lies; 0 if empty.
   * Between two samples it is the upper one.
   */
  synchronized long median() {
    if (changed) {
      changed = false;
      median = compute();
    }
    return median;
  }

  synchronized boolean isEmpty() {
    return count == 0;
  }

  synchronized void clear() {
    count = 0;
    median = 0;
    changed = false;
  }

  private long compute() {
    double latest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      int place = i;
      while (place > 0 && sortedValue[place - 1] > value[i]) {
        sortedValue[place] = sortedValue[place - 1];
        sortedLogWeight[place] = sortedLogWeight[place - 1];
        place--;
      }
      sortedValue[place] = value[i];
      sortedLogWeight[place] = logWeight[i];
      latest = Math.max(latest, logWeight[i]);
    }
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.exp(logWeight[i] - latest);
    }
    double before = 0;
    long found = sortedValue[0];
    for (int i = 0; i < count && before <= 0.5; i++) {
      found = sortedValue[i];
      before += Math.exp(sortedLogWeight[i] - latest) / sum;
    }
    return found;
  }

  private void put(int at, double drawn, double weight, long sample) {
    priority[at] = drawn;
    logWeight[at] = weight;
    value[at] = sample;
  }
}
