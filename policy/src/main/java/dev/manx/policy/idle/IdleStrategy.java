/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import dev.manx.policy.NanoClock;
import java.util.function.BooleanSupplier;

/**
 * How a thread waits between two checks of a condition that another thread brings about:
 *
 * <pre>{@code
 * idle.reset();
 * while (!published) {
 *   idle.idle();
 * }
 * }</pre>
 *
 * <p>It keeps state from check to check, so each waiting thread has its own. Where the other thread
 * can wake the waiter (a lock, a condition, a future), that is better than any of these.
 */
public interface IdleStrategy {
  /**
   * Begins a new wait: what an earlier one has learnt of its length says nothing about this one.
   */
  void reset();

  /** Waits a little; called after each check that found the condition false. */
  void idle();

  /**
   * Waits for a condition, at most until a time; checks it at least once.
   *
   * @param clock monotonic
   * @param deadlineNanos of that clock; the last wait may end as much later as one step is long
   * @return whether the condition was seen to hold
   */
  default boolean await(BooleanSupplier condition, NanoClock clock, long deadlineNanos) {
    reset();
    while (!condition.getAsBoolean()) {
      if (clock.nanoTime() - deadlineNanos >= 0) {
        return false;
      }
      idle();
    }
    return true;
  }
}
