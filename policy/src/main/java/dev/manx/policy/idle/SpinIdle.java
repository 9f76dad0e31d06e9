/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;

/**
 * {@code idle.spin}: never leaves the processor. Unsafe, for comparison only: the waiter occupies
 * the core that the awaited thread may need, until the scheduler preempts it, which for a waiter of
 * higher priority happens seconds later. Safe only if every thread has its own core.
 */
final class SpinIdle implements IdleStrategy {
  static final PolicyInfo POLICY =
      PolicyInfo.named("idle.spin", "never leaves the core; unsafe, only for comparison")
          .source("WiredTiger's snapshot loops, 11.3.1")
          .needs(Ability.UNBOUNDED_SPIN)
          .at(Place.HARNESS)
          .make(s -> new SpinIdle(ThreadWaiter.INSTANCE));

  private final Waiter waiter;

  /** Creates a strategy on a waiter. */
  SpinIdle(Waiter waiter) {
    this.waiter = waiter;
  }

  @Override
  public void reset() {}

  @Override
  public void idle() {
    waiter.spin();
  }
}
