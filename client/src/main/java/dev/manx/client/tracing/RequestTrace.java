/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/** One request that has waited, or whose query was rejected. Thread-safe. */
public interface RequestTrace {
  /**
   * A query begins to wait, or is rejected by {@code max-pending} and ends at once. Called on the
   * application's thread that makes the query; the calls of one request do not overlap.
   *
   * @param backend its name
   */
  QueryTrace query(String backend);

  /**
   * The request is complete; called once. Queries may still be pending.
   *
   * @param blockedBy the backend that blocked it; null if all its queries were rejected
   * @param givenUp whether queries were pending when it was completed, or when it timed out
   */
  void ended(String blockedBy, boolean givenUp);
}
