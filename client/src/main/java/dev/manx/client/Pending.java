/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Alarm;
import java.util.ArrayList;
import java.util.List;

/**
 * The queries for which a request waits, oldest first, and what it needs only while it waits.
 * Guarded by the request.
 */
final class Pending {
  /** Follows the request; null: nothing does. */
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

  /** The backend of the oldest of them; there is one. */
  Backend<?, ?> oldest() {
    return queries.get(0).backend();
  }

  /** Whether a timer runs that will end them. */
  boolean isTimed() {
    return timer != null;
  }

  /**
   * They end by it, unless it is stopped before.
   *
   * @param newTimer null: no deadline
   */
  void endBy(Alarm newTimer) {
    timer = newTimer;
  }

  /** The timer has run: all of them, to be ended. */
  List<Query<?, ?>> takeLate() {
    // A later layer of queries sets it again, and finds that the time is over.
    timer = null;
    return List.copyOf(queries);
  }

  /** None of them is left. */
  void stop() {
    if (timer != null) {
      timer.cancel();
    }
  }
}
