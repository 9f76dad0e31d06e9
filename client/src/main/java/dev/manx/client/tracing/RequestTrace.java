/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * One request that has waited, or of which a query was rejected. Several threads may call it at
 * once.
 */
public interface RequestTrace {
  /**
   * A query begins to wait, or is rejected by {@code max-pending} and ends at once: called on the
   * thread on which the application calls the query. Queries of one request come one after the
   * other.
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
