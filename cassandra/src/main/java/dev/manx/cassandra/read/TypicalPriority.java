/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.policy.strategy.Strategy;

/**
 * The priority of a typical request under one strategy: a smoothed geometric mean, which the few
 * very wide ones do not pull up. A read counts by its part of the request's bottleneck, so that the
 * many reads of a wide request weigh no more together than the one of a narrow one. Another
 * strategy begins anew. Any thread; a lost update is one sample less.
 */
final class TypicalPriority {
  private static final double WEIGHT = 0.01;

  private volatile Mean mean = new Mean(null, 0);

  private record Mean(Strategy strategy, double logarithm) {}

  /**
   * Takes a tagged read in.
   *
   * @param priority of its request's tag
   * @param ownCost what the read would rank by alone, in the same unit
   */
  void saw(Strategy strategy, long priority, long ownCost) {
    double sample = Math.log(Math.max(1, priority));
    double part = Math.min(1.0, Math.max(1, ownCost) / (double) Math.max(1, priority));
    Mean old = mean;
    double next =
        old.strategy == strategy
            ? old.logarithm + WEIGHT * part * (sample - old.logarithm)
            : sample;
    mean = new Mean(strategy, next);
  }

  /** In the strategy's unit; 0 before its first tag. */
  long priority(Strategy strategy) {
    Mean seen = mean;
    return seen.strategy == strategy ? Math.round(Math.exp(seen.logarithm)) : 0;
  }
}
