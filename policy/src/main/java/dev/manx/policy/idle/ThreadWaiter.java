/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import java.util.concurrent.locks.LockSupport;

/** Waits on the calling thread. The only class of module {@code policy} that touches threads. */
public final class ThreadWaiter implements Waiter {
  /** Creates a stateless waiter. */
  public static final ThreadWaiter INSTANCE = new ThreadWaiter();

  private ThreadWaiter() {}

  @Override
  public void spin() {
    Thread.onSpinWait();
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // comparing ways to depend on the scheduler
  public void giveWay() {
    Thread.yield();
  }

  /**
   * Also waits when the thread is interrupted: parking would otherwise return at once and sleeps
   * would become a spin. The interrupt is kept for the caller.
   */
  @Override
  public void park(long nanos) {
    boolean interrupted = Thread.interrupted();
    if (interrupted) {
      // An interrupt leaves a permit behind, which ends the next park at once.
      LockSupport.parkNanos(this, 1);
    }
    LockSupport.parkNanos(this, nanos);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
