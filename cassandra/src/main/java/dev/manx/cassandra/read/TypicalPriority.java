/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.policy.strategy.Strategy;

/**
 * The priority of a typical tagged read under one strategy: a smoothed geometric mean, which the
 * few very wide requests do not pull up. Another strategy begins anew. Any thread; a lost update is
 * one sample less.
 */
final class TypicalPriority {
  private static final double WEIGHT = 0.01;

  private volatile Mean mean = new Mean(null, 0);

  private record Mean(Strategy strategy, double logarithm) {}

  void saw(Strategy strategy, long priority) {
    double sample = Math.log(Math.max(1, priority));
    Mean old = mean;
    double next =
        old.strategy == strategy ? old.logarithm + WEIGHT * (sample - old.logarithm) : sample;
    mean = new Mean(strategy, next);
  }

  /** In the strategy's unit; 0 before its first tag. */
  long priority(Strategy strategy) {
    Mean seen = mean;
    return seen.strategy == strategy ? Math.round(Math.exp(seen.logarithm)) : 0;
  }
}
