/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code idle.park}: sleeps for the same time at every check. Starves no thread; each wait, however
 * short, costs a sleep and the timer's slack (about 50 us on Linux).
 */
public final class ParkIdle implements IdleStrategy {
  static final PolicyInfo POLICY =
      PolicyInfo.named("idle.park", "sleeps a fixed time at every check")
          .source("MongoDB tail latency paper, section II")
          .settings(Setting.duration("park-for", "50us", "1ns", "1ms", "length of each sleep"))
          .make(s -> new ParkIdle(ThreadWaiter.INSTANCE, s.number("park-for")));

  private final Waiter waiter;
  private final long parkNanos;

  /**
   * Creates a strategy on a waiter.
   *
   * @param parkNanos length of each sleep
   */
  public ParkIdle(Waiter waiter, long parkNanos) {
    this.waiter = waiter;
    this.parkNanos = parkNanos;
  }

  @Override
  public void reset() {}

  @Override
  public void idle() {
    waiter.park(parkNanos);
  }
}
