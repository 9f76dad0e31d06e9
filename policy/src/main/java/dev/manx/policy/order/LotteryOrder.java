/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import dev.manx.policy.SplitMix;
import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;
import java.util.random.RandomGenerator;

/**
 * {@code order.lottery}: draws among the levels in use, each {@code factor} times as likely as the
 * next, so that every level has a share. Bounded wait as in every order. Time grows with the number
 * of levels and the logarithm of the queue.
 *
 * <p>Source: Hector's {@code RandomMultilevelReadQueue}; levels by bottleneck from Rein
 * (EuroSys'17). Deviations: drawn among levels in use only, whereas Hector draws until it hits one;
 * an op without a level gets one by its bottleneck rather than at random.
 */
final class LotteryOrder<T extends Op> extends LevelledOrder<T> {
  static final PolicyInfo POLICY =
      PolicyInfo.named("order.lottery", "a level drawn by weight among those in use, bounded wait")
          .source("Hector RandomMultilevelReadQueue; Rein (EuroSys'17)")
          .settings(
              LEVELS,
              LEVELS_BY,
              Setting.number(
                  "factor", 2, 1, 1_000, "how much more likely a level is than the next"),
              LEVEL_ZERO,
              GROWTH,
              INSIDE,
              MAX_WAIT,
              CAPACITY)
          .make(
              s ->
                  new LotteryOrder<>(
                      s.whole("capacity"),
                      s.number("max-wait"),
                      s.real("factor"),
                      Levels.of(s),
                      s.random()));

  private static final int NONE = -1;

  private RandomGenerator random;
  private final double[] weights;
  private int drawn = NONE;

  /**
   * Creates an empty order.
   *
   * @param capacity most ops queued at once
   * @param maxWaitNanos after this wait the oldest op goes first
   * @param factor how much more likely each level is than the next, at least 1
   * @param levels defines the levels
   * @param random this order's own source
   */
  LotteryOrder(
      int capacity, long maxWaitNanos, double factor, Levels levels, RandomGenerator random) {
    super(capacity, maxWaitNanos, levels);
    this.random = random;
    weights = new double[levels.count()];
    for (int level = 0; level < weights.length; level++) {
      weights[level] = Math.pow(factor, weights.length - level);
    }
  }

  @Override
  T choose(long nowNanos) {
    // A draw is kept until an op has left: peek and the following poll must agree.
    if (drawn == NONE || (used() >>> drawn & 1) == 0) {
      drawn = draw();
    }
    return head(drawn);
  }

  @Override
  public void reseed(long seed) {
    random = new SplitMix(seed);
    drawn = NONE;
  }

  @Override
  void leave(T op) {
    super.leave(op);
    drawn = NONE;
  }

  private int draw() {
    double sum = 0;
    for (long left = used(); left != 0; left &= left - 1) {
      sum += weights[Long.numberOfTrailingZeros(left)];
    }
    double ticket = random.nextDouble() * sum;
    int level = NONE;
    for (long left = used(); left != 0 && ticket >= 0; left &= left - 1) {
      level = Long.numberOfTrailingZeros(left);
      ticket -= weights[level];
    }
    return level;
  }
}
