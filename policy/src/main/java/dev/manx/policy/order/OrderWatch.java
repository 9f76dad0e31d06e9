/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/** Sees what is queued before some decisions of a {@link SharedOrder}, and what was decided. */
public interface OrderWatch {
  /**
   * A read is about to be chosen. Called with the queue's lock held: at once, without blocking.
   *
   * @return who is shown the queue, or null to let this decision pass
   */
  Dispatch before(long nowNanos, int queued);

  /** One decision. All methods but {@link #end} are called with the queue's lock held. */
  interface Dispatch {
    /** The seed of the order's randomness in this decision. */
    long seed();

    /**
     * The next op by arrival.
     *
     * @param memo what the order says of it, {@link Order#memo}
     */
    void queued(Op op, long memo);

    /** The op that the order wants served, in shadow mode too: its place by arrival, from 0. */
    void chose(int place);

    /** It is over, and the lock is free. */
    void end();
  }
}
