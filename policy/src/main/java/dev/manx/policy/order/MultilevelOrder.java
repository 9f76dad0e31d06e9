/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * {@code order.multilevel}: the first level that is not empty, and the bounded wait of every order.
 * Logarithmic time.
 *
 * <p>Source: Hector's {@code MultilevelReadQueue}; levels by bottleneck as Rein (EuroSys'17) has
 * them. Deviations: an op without a level gets one by its bottleneck and not the last; a level
 * beyond the last is the last; a bitmap finds the level, and nothing spins; the bounded wait.
 */
public final class MultilevelOrder<T extends Op> extends LevelledOrder<T> {
  /**
   * An empty order.
   *
   * @param capacity most ops queued at once
   * @param maxWaitNanos after this wait the oldest op goes first
   * @param levels from 2 to 64
   * @param levelZeroNanos bottlenecks up to this times growth are in level 0
   * @param growth from one level to the next, above 1
   * @param bySlack inside a level by latest start and not by arrival
   */
  public MultilevelOrder(
      int capacity,
      long maxWaitNanos,
      int levels,
      long levelZeroNanos,
      double growth,
      boolean bySlack) {
    super(capacity, maxWaitNanos, new Levels(levels, levelZeroNanos, growth, bySlack));
  }

  @Override
  T choose(long nowNanos) {
    return head(Long.numberOfTrailingZeros(used()));
  }
}
