/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;

/**
 * {@code idle.spin}: never leaves the processor. Unsafe, and here to be compared with: the waiter
 * keeps the core that the thread it waits for may need, until the scheduler takes it away, which
 * for a waiter of higher priority is seconds later. Sound only where every thread has a core of its
 * own.
 */
final class SpinIdle implements IdleStrategy {
  static final PolicyInfo POLICY =
      PolicyInfo.named("idle.spin", "never leaves the core; unsafe, only for comparison")
          .source("WiredTiger's snapshot loops, 11.3.1")
          .needs(Ability.UNBOUNDED_SPIN)
          .at(Place.HARNESS)
          .make(s -> new SpinIdle(ThreadWaiter.INSTANCE));

  private final Waiter waiter;

  /** On a waiter. */
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
