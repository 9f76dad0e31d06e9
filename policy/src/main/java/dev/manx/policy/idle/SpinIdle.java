/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

/**
 * {@code idle.spin}: never leaves the processor. Unsafe, and here to be compared with: the waiter
 * keeps the core that the thread it waits for may need, until the scheduler takes it away, which
 * for a waiter of higher priority is seconds later. Sound only where every thread has a core of its
 * own.
 */
public final class SpinIdle implements IdleStrategy {
  private final Waiter waiter;

  /** On a waiter. */
  public SpinIdle(Waiter waiter) {
    this.waiter = waiter;
  }

  @Override
  public void reset() {}

  @Override
  public void idle() {
    waiter.spin();
  }
}
