/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * Traces requests and queries that wait, the loads they wait for, and queries that {@code
 * max-pending} rejects. Hits in the local store are not traced, nor requests with only such hits.
 * Thread-safe.
 *
 * <p>A method may return null to skip tracing. An exception of an implementation is logged and ends
 * the trace, never the query. Its methods must not block: queries wait for them.
 */
public interface Tracing {
  /**
   * A request begins to wait, or one of its queries is rejected: called on the thread of its first
   * such query.
   */
  RequestTrace request();

  /**
   * A backend is read for a background refresh, which no query waits for.
   *
   * @param backend its name
   */
  LoadTrace refresh(String backend);
}
