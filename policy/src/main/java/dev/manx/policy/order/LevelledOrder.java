/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;

/**
 * Ops in levels, level 0 for the smallest bottlenecks; each level is ordered by arrival or by
 * latest start.
 *
 * <p>If an op's coordinator chose a level, the op gets it. Otherwise level 0 ends at {@code
 * level-zero} times {@code growth} and each further level at {@code growth} times the previous end.
 * The last level takes the rest. With {@code levels-by: keys}, as in Rein, bottlenecks of fewer
 * than {@code growth} keys are in level 0.
 */
abstract class LevelledOrder<T extends Op> extends AgedOrder<T> {
  static final Setting LEVELS = Setting.whole("levels", 8, 2, 64, "number of levels of the queue");
  static final Setting LEVEL_ZERO =
      Setting.duration("level-zero", "1ms", "1ns", "1h", "bottleneck at which the levels begin");
  static final Setting GROWTH =
      Setting.number("growth", 2, 1.01, 1_000, "growth of the bottleneck from level to level");
  static final Setting LEVELS_BY =
      Setting.word(
          "levels-by",
          "bottlenecks are durations, or counts of keys, which begin at 1 and not at level-zero",
          "duration",
          "keys");
  static final Setting INSIDE = Setting.word("inside", "order inside a level", "arrival", "slack");

  /** Most levels; a bitmap shows the levels in use. */
  static final int MAX_LEVELS = Long.SIZE;

  /**
   * Defines the levels and the order inside a level.
   *
   * @param count from 2 to 64
   * @param levelZeroNanos bottlenecks below this times growth are in level 0
   * @param growth factor from one level to the next, above 1
   * @param bySlack whether a level is ordered by latest start rather than by arrival
   */
  record Levels(int count, long levelZeroNanos, double growth, boolean bySlack) {
    static Levels of(Values settings) {
      return new Levels(
          settings.whole("levels"),
          settings.word("levels-by").equals("keys") ? 1 : settings.number("level-zero"),
          settings.real("growth"),
          settings.word("inside").equals("slack"));
    }
  }

  private final Levels levels;
  private final long maxWaitNanos;
  private final double[] ends;
  private final OpHeap<T>[] heaps;
  private long used;
  private long sequence;

  // Java has no other way to make an array of a generic type; the array never leaves this class.
  @SuppressWarnings({"unchecked", "rawtypes"})
  LevelledOrder(int capacity, long maxWaitNanos, Levels levels) {
    super(capacity, maxWaitNanos);
    this.levels = levels;
    this.maxWaitNanos = maxWaitNanos;
    ends = new double[levels.count() - 1];
    heaps = new OpHeap[levels.count()];
    double end = levels.levelZeroNanos() * levels.growth();
    for (int level = 0; level < heaps.length; level++) {
      heaps[level] = new OpHeap<>(false);
      if (level < ends.length) {
        ends[level] = end;
        end *= levels.growth();
      }
    }
  }

  /** A bit for each level in use, level 0 the lowest. */
  final long used() {
    return used;
  }

  final T head(int level) {
    return heaps[level].peek();
  }

  /** The level of an op. */
  final int level(Op op) {
    if (op.level >= 0) {
      return Math.min(op.level, heaps.length - 1);
    }
    int level = 0;
    while (level < ends.length && op.priority >= ends[level]) {
      level++;
    }
    return level;
  }

  @Override
  void enter(T op) {
    int level = level(op);
    long rank = levels.bySlack() ? SlackEdfOrder.latestStart(op, maxWaitNanos) : 0;
    heaps[level].add(op, rank, sequence++);
    used |= 1L << level;
  }

  @Override
  void leave(T op) {
    int level = level(op);
    heaps[level].remove(op);
    if (heaps[level].size() == 0) {
      used &= ~(1L << level);
    }
  }
}
