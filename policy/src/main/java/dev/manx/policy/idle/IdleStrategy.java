/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import dev.manx.policy.NanoClock;
import java.util.function.BooleanSupplier;

/**
 * How a thread waits between two checks of a condition that another thread fulfils:
 *
 * <pre>{@code
 * idle.reset();
 * while (!published) {
 *   idle.idle();
 * }
 * }</pre>
 *
 * <p>A strategy keeps state from check to check, so each waiting thread has its own. If the other
 * thread can wake the waiter (a lock, a condition, a future), that is better than any strategy
 * here.
 */
public interface IdleStrategy {
  /**
   * Begins a new wait and discards the state of earlier waits, which does not predict this wait's
   * length.
   */
  void reset();

  /** Waits a little; called after each check that found the condition false. */
  void idle();

  /**
   * Waits for a condition, at most until a time; checks it at least once.
   *
   * @param clock monotonic
   * @param deadlineNanos on that clock; the last wait may end later by up to the length of one step
   * @return whether the condition held at a check
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
