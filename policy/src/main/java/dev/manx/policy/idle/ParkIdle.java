/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

/**
 * {@code idle.park}: sleeps for the same time at every check. It starves nobody; each wait, however
 * short, costs a sleep and the timer's slack (about 50 us on Linux).
 */
public final class ParkIdle implements IdleStrategy {
  private final Waiter waiter;
  private final long parkNanos;

  /**
   * On a waiter.
   *
   * @param parkNanos of each sleep
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
