/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code idle.yield}: offers the processor at every check. Whether the awaited thread gets it is up
 * to the scheduler, which may return it at once to a waiter of higher priority.
 */
final class YieldIdle implements IdleStrategy {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "idle.yield", "offers the core at every check; the scheduler may return it at once")
          .source("MongoDB tail latency paper, section II")
          .make(s -> new YieldIdle(ThreadWaiter.INSTANCE));

  private final Waiter waiter;

  /** Creates a strategy on a waiter. */
  YieldIdle(Waiter waiter) {
    this.waiter = waiter;
  }

  @Override
  public void reset() {}

  @Override
  public void idle() {
    waiter.giveWay();
  }
}
