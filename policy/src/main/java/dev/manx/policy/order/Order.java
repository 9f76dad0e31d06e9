/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Decides which queued read a replica serves next.
 *
 * <p>A plain sequential structure, called by one thread at a time: the simulator calls it as it is,
 * a node through {@link SharedOrder}, which adds the lock. No method blocks, spins or allocates.
 * Every op offered leaves exactly once, by {@code poll} or {@code remove}.
 *
 * @param <T> the adapter's op
 */
public interface Order<T extends Op> {
  /**
   * Queues an op.
   *
   * @return false if the order is full; the op is then not queued and the caller serves it as stock
   *     would
   */
  boolean offer(T op);

  /** Takes the next op, or null if there is none. */
  T poll(long nowNanos);

  /** The op that {@code poll} would take now, or null. */
  T peek(long nowNanos);

  /**
   * Takes an op out, wherever it stands.
   *
   * @return false if it is not queued here
   */
  boolean remove(T op);

  /**
   * Takes out an op that is served now although the order did not choose it, as where it is only
   * compared: what it learns from service, it learns as from {@code poll}.
   *
   * @return false if it is not queued here
   */
  default boolean pass(T op, long nowNanos) {
    return remove(op);
  }

  /** Ops queued. */
  int size();

  /** Sum of the forecasts of the ops queued, nanoseconds. */
  long workNanos();

  /** Most ops that may be queued. */
  int capacity();

  /** What {@link #memo} says if an order decides by the op and the clock alone. */
  long NO_MEMO = Long.MIN_VALUE;

  /**
   * The value that the order derived from its own memory when a queued op was offered, so that a
   * recorded choice can be made again; {@link #NO_MEMO} if nothing.
   */
  default long memo(T op) {
    return NO_MEMO;
  }

  /**
   * Queues an op as it was queued when a choice was recorded.
   *
   * @param memo that of then
   */
  default boolean offer(T op, long memo) {
    return offer(op);
  }

  /**
   * How often an op was polled because it had waited for {@code max-wait}; 0 without that bound.
   */
  default long cuts() {
    return 0;
  }

  /**
   * Draws from this seed from now on, so that the next decision can be made again; for orders that
   * draw.
   */
  default void reseed(long seed) {}
}
