/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code order.multilevel}: the first level in use, with the bounded wait of every order.
 * Logarithmic time.
 *
 * <p>Source: Hector's {@code MultilevelReadQueue}; levels by bottleneck from Rein (EuroSys'17).
 * Deviations: an op without a level gets one by its bottleneck rather than the last; a level beyond
 * the last counts as the last; a bitmap finds the level without spinning; the bounded wait.
 */
final class MultilevelOrder<T extends Op> extends LevelledOrder<T> {
  static final PolicyInfo POLICY =
      PolicyInfo.named("order.multilevel", "first non-empty level by bottleneck, bounded wait")
          .source("Hector MultilevelReadQueue; Rein (EuroSys'17)")
          .settings(LEVELS, LEVELS_BY, LEVEL_ZERO, GROWTH, INSIDE, MAX_WAIT, CAPACITY)
          .make(
              s -> new MultilevelOrder<>(s.whole("capacity"), s.number("max-wait"), Levels.of(s)));

  /**
   * Creates an empty order.
   *
   * @param capacity most ops queued at once
   * @param maxWaitNanos after this wait the oldest op goes first
   * @param levels defines the levels
   */
  MultilevelOrder(int capacity, long maxWaitNanos, Levels levels) {
    super(capacity, maxWaitNanos, levels);
  }

  @Override
  T choose(long nowNanos) {
    return head(Long.numberOfTrailingZeros(used()));
  }
}
