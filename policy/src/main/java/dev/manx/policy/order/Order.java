/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Decides which queued read a replica serves next.
 *
 * <p>A plain sequential structure, called by one thread at a time: the simulator calls it directly,
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
   * Removes an op, at any place in the queue.
   *
   * @return false if it is not queued here
   */
  boolean remove(T op);

  /**
   * Removes an op that is served now although the order did not choose it, for example where the
   * order is only compared: the order learns from its service as from {@code poll}.
   *
   * @return false if it is not queued here
   */
  default boolean pass(T op, long nowNanos) {
    return remove(op);
  }

  /** Number of queued ops. */
  int size();

  /** Sum of the forecasts of the queued ops, in nanoseconds. */
  long workNanos();

  /** Most ops in the queue. */
  int capacity();

  /** The result of {@link #memo} for an order that decides by the op and the clock alone. */
  long NO_MEMO = Long.MIN_VALUE;

  /**
   * The value that the order derived from its state when a queued op was offered, so that a
   * recorded choice can be replayed; {@link #NO_MEMO} for none.
   */
  default long memo(T op) {
    return NO_MEMO;
  }

  /**
   * Queues an op as it was queued when a choice was recorded.
   *
   * @param memo the op's recorded {@link #memo}
   */
  default boolean offer(T op, long memo) {
    return offer(op);
  }

  /**
   * Sets the longest wait that the host allows. A host calls it before the first op is offered, and
   * again when the limit changes, then also while ops are queued. An order that chooses its own
   * {@code max-wait} takes the smaller of both from its next decision on; one whose {@code
   * max-wait} is configured keeps it.
   */
  default void limitWait(long nanos) {}

  /** Number of ops polled because they had waited for {@code max-wait}; 0 without that bound. */
  default long cuts() {
    return 0;
  }

  /**
   * Number of ops served while the queue counted as overloaded; 0 if the order knows no such state.
   */
  default long overloaded() {
    return 0;
  }

  /**
   * Number of ops served while the queue was long, but not overloaded; 0 if the order knows no such
   * state.
   */
  default long servedLong() {
    return 0;
  }

  /**
   * Whether the order uses {@link Op#passedBefore}; constant. If not, a host need not set it, since
   * counting takes time at each queued op.
   */
  default boolean countsPassed() {
    return false;
  }

  /**
   * Sets the seed of later draws, so that the next decision can be replayed; for orders that draw.
   */
  default void reseed(long seed) {}
}
