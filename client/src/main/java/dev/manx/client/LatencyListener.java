/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

/**
 * Observes the durations of requests, queries, loads and moves of space. Called on the threads that
 * end them, concurrently, so it must be fast and not block. Its exceptions are logged and have no
 * other effect.
 */
public interface LatencyListener {
  /**
   * A request with queries is complete.
   *
   * @param nanos since it was opened
   */
  void request(long nanos);

  /**
   * A query that had to wait has succeeded or failed.
   *
   * @param nanos time since the query started
   */
  void query(Backend<?, ?> backend, long nanos);

  /**
   * A loader has answered or failed, or its time-out has passed. Not called for a load that a full
   * queue rejected.
   *
   * @param nanos since it was called
   */
  void load(Backend<?, ?> backend, long nanos);

  /**
   * A query of a remote store has found all its keys there; {@link #query} is called too.
   *
   * @param nanos time since the query started
   */
  default void hit(Backend<?, ?> backend, long nanos) {}

  /**
   * The stores have carried out a decision that moved space. Called on the control thread, or on
   * that of {@link FanoutCache#tick}, which decides nothing more until it returns; it may add and
   * remove backends.
   *
   * @param bytes growth of all shares together
   * @param nanos since the decision; over several ticks if a store was slow
   */
  default void moved(long bytes, long nanos) {}
}
