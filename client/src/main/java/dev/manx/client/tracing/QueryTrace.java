/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * One query that waits for a backend or a remote store, or that {@code max-pending} rejects. Any
 * thread.
 */
public interface QueryTrace {
  /** A load of this query's own begins; at most once, and not before the query waits. */
  LoadTrace load();

  /**
   * The query waits for another query's load.
   *
   * @param other as the other query, or a refresh, was given it
   */
  void joined(LoadTrace other);

  /** The query has ended; called once, before its future completes, and last. */
  void ended(QueryEnd how);
}
