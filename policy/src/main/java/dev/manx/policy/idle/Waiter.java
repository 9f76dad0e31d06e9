/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

/**
 * The three things that a waiting thread can do with its processor. Policies decide which and for
 * how long; {@link ThreadWaiter} does it, and tests count.
 */
public interface Waiter {
  /** Keeps the processor and tells it that this is a spin. */
  void spin();

  /** Lets the scheduler run another thread, if it thinks that one deserves it. */
  void giveWay();

  /** Leaves the processor for a time, or a little longer, whatever the thread's priority. */
  void park(long nanos);
}
