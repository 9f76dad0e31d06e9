/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * Follows requests and queries that wait, the loads they wait for, and queries that {@code
 * max-pending} rejects. Hits in this process's store are not followed, nor a request that has only
 * such. Any thread may call it.
 *
 * <p>Null in place of a trace means that the thing is not followed. What an implementation throws
 * is logged and costs the trace, never the query. Its methods must not block: queries wait for
 * them.
 */
public interface Tracing {
  /**
   * A request begins to wait, or a query of it is rejected: called on the thread of its first such
   * query.
   */
  RequestTrace request();

  /**
   * A backend is read again ahead of time, which no query waits for.
   *
   * @param backend its name
   */
  LoadTrace refresh(String backend);
}
