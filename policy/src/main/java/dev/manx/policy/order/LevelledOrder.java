/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Ops in levels, 0 for the smallest bottlenecks, each level by arrival or by latest start.
 *
 * <p>An op's level is the one its coordinator chose, if it did; else level 0 ends at {@code
 * level-zero} and each further level at {@code growth} times the one before. The last level takes
 * what is beyond.
 */
abstract class LevelledOrder<T extends Op> extends AgedOrder<T> {
  /** Most levels; a bitmap says which are in use. */
  static final int MAX_LEVELS = Long.SIZE;

  /** How an order sorts into levels, and each level in itself. */
  public record Levels(int count, long levelZeroNanos, double growth, boolean bySlack) {}

  private final Levels levels;
  private final long maxWaitNanos;
  private final double[] ends;
  private final OpHeap<T>[] heaps;
  private long used;
  private long sequence;

  // An array of a generic type cannot be made otherwise; it never leaves this class.
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

  /** A bit for each level with ops in it, level 0 the lowest. */
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
