/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/** Observes the queue before some decisions of a {@link SharedOrder}, and the decisions. */
public interface OrderWatch {
  /**
   * Called when a read is about to be chosen, with the queue's lock held: returns at once, without
   * blocking.
   *
   * @return the observer of this decision, or null to skip it
   */
  Dispatch before(long nowNanos, int queued);

  /**
   * Observes one decision. All methods except {@link #end} are called with the queue's lock held.
   */
  interface Dispatch {
    /** The seed of the order's randomness in this decision. */
    long seed();

    /**
     * The next op by arrival.
     *
     * @param memo the order's value for it, {@link Order#memo}
     */
    void queued(Op op, long memo);

    /** The op chosen by the order, in shadow mode too: its index by arrival, from 0. */
    void chose(int place);

    /** Called at the end, without the lock. */
    void end();
  }
}
