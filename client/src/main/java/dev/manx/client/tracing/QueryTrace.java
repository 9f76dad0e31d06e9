/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * One query that waits for a backend or a remote store, or that {@code max-pending} rejects.
 * Thread-safe.
 */
public interface QueryTrace {
  /**
   * This query's own load begins, or the trial by which the breaker tests the backend after it has
   * refused that load; at most once each, and not before the query waits.
   */
  LoadTrace load();

  /**
   * The query waits for another query's load.
   *
   * @param other trace that was returned to the other query or to a refresh
   */
  void joined(LoadTrace other);

  /** The query has ended; called once, before its future completes. */
  void ended(QueryEnd how);

  /**
   * The query's future completes on the current thread, and with it its callbacks run. Applies the
   * context of the thread that made the query: the current thread may have the context of another
   * query, whose load has answered both. Called at most once, after {@link #ended}; not for a query
   * that was rejected, or that ended before it was followed.
   *
   * @return null if there is none, as by default
   */
  default Scope enterCaller() {
    return null;
  }
}
