/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

/**
 * Follows how long requests, queries and loads take. Called on the threads that end them, several
 * at once, so it must be fast and not wait. What it throws is logged, and changes nothing.
 */
public interface LatencyListener {
  /**
   * A request with queries is complete.
   *
   * @param nanos since it was opened
   */
  void request(long nanos);

  /**
   * A query that had to wait has ended, either way.
   *
   * @param nanos since it was asked
   */
  void query(Backend<?, ?> backend, long nanos);

  /**
   * A loader has answered or failed, or its time-out has passed.
   *
   * @param nanos since it was called
   */
  void load(Backend<?, ?> backend, long nanos);
}
