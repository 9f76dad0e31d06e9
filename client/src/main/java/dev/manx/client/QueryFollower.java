/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.tracing.QueryEnd;
import java.util.Set;

/**
 * Follows a query that waits, for the trace of its request, and keeps the context of its caller.
 * Guarded by its query.
 */
/*
 * It has no lock of its own: the query's end and the context at that time are one step, and so are
 * the begin of the context and the test for that end. Otherwise the trace of a query that times out
 * between them would never end. The application's tracing runs without the lock.
 */
final class QueryFollower<K, V> {
  private final Traces.OfRequest trace;
  private QueryContext context;
  // Its context when it ended.
  private QueryContext followed;
  private Set<LoaderCall<K, V>> loads = Set.of();

  /**
   * @param trace of its request
   */
  QueryFollower(Traces.OfRequest trace) {
    this.trace = trace;
  }

  /** Begins the query's trace, on the caller's thread. Calls the application: without the lock. */
  QueryContext begin(String backend) {
    return trace.query(backend);
  }

  /** The query's trace has begun. */
  void begun(QueryContext now) {
    context = now;
  }

  /** The query waits for loads, including its own. */
  void waitsFor(Set<LoaderCall<K, V>> all) {
    loads = all;
  }

  /** The context for the query's load; null before it has begun. */
  QueryContext context() {
    return context;
  }

  /** The query has ended. */
  void ends() {
    followed = context;
  }

  /**
   * The context in which the callbacks of the ended query run; null if it ended before its trace
   * had begun.
   */
  QueryContext caller() {
    return followed;
  }

  /** Returns a task that reports the query's end. It calls the application: without the lock. */
  Runnable report(QueryEnd how) {
    QueryContext following = context;
    Set<LoaderCall<K, V>> waited = loads;
    return () -> following.ended(waited, how);
  }
}
