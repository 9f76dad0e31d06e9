/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Alarm;
import java.util.ArrayList;
import java.util.List;

/**
 * The queries that a request waits for, oldest first, and the state that it needs only while it
 * waits. Guarded by the request.
 */
final class Pending {
  /** The request's trace, or null. */
  final Traces.OfRequest trace;

  private final List<Query<?, ?>> queries = new ArrayList<>(4);
  private Alarm timer;

  Pending(Traces.OfRequest trace) {
    this.trace = trace;
  }

  void add(Query<?, ?> query) {
    queries.add(query);
  }

  void remove(Query<?, ?> query) {
    queries.remove(query);
  }

  boolean isEmpty() {
    return queries.isEmpty();
  }

  /** The oldest query; requires at least one. */
  Query<?, ?> oldest() {
    return queries.get(0);
  }

  /** Whether a running timer will end the queries. */
  boolean isTimed() {
    return timer != null;
  }

  /**
   * Sets the timer that ends the queries unless it is stopped before.
   *
   * @param newTimer null: no deadline
   */
  void endBy(Alarm newTimer) {
    timer = newTimer;
  }

  /** Returns all queries, to be ended, after the timer has fired. */
  List<Query<?, ?>> takeLate() {
    // A later layer of queries arms it again and finds the time exceeded.
    timer = null;
    return List.copyOf(queries);
  }

  /** Stops the timer when no query is left. */
  void stop() {
    if (timer != null) {
      timer.cancel();
    }
  }
}
