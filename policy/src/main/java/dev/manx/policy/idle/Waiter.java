/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

/**
 * The three operations of a waiting thread on its processor. Policies choose the operation and its
 * length; {@link ThreadWaiter} executes it, and tests count calls.
 */
public interface Waiter {
  /** Keeps the processor, with a hint that this is a spin. */
  void spin();

  /** Offers the processor to other threads; the scheduler decides. */
  void giveWay();

  /** Leaves the processor for a time, or a little longer, whatever the thread's priority. */
  void park(long nanos);
}
