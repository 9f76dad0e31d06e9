/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Alarm;
import dev.manx.client.timer.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ends the queries of a request that has timed out. */
final class LateQueries {
  /* A callback of one query may wait for another query of the same request, which would
   * otherwise end after that callback. So queries without callbacks end first, and each other query
   * on a separate thread. */
  private LateQueries() {}

  /**
   * Ends the queries, on a thread of the timer.
   *
   * @param limitNanos time limit of the request
   * @param timer timer whose threads run callbacks
   */
  static void end(List<Query<?, ?>> late, long limitNanos, Timer timer) {
    List<Query<?, ?>> others = new ArrayList<>(late.size());
    for (Query<?, ?> query : late) {
      if (query.hasCallbacks()) {
        others.add(query);
      } else {
        end(query, limitNanos, timer);
      }
    }
    int last = others.size() - 1;
    for (int i = 0; i <= last; i++) {
      Query<?, ?> query = others.get(i);
      if (i == last) {
        end(query, limitNanos, timer);
      } else {
        endElsewhere(query, limitNanos, timer);
      }
    }
  }

  private static void endElsewhere(Query<?, ?> query, long limitNanos, Timer timer) {
    try {
      Alarm unused = timer.after(0, () -> end(query, limitNanos, timer));
    } catch (RejectedExecutionException e) {
      // The cache is closed.
      end(query, limitNanos, timer);
    }
  }

  private static void end(Query<?, ?> query, long limitNanos, Timer timer) {
    String limit =
        "before the request's deadline of " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms";
    query.late(failure(timer, query.backend().name(), limit));
  }

  /**
   * The failure of a query or load that has timed out.
   *
   * @param timer timer of the time-out; once it is closed, tasks run before their time
   * @param limit the time that has passed, in words
   */
  static TimeoutException failure(Timer timer, String backend, String limit) {
    return new TimeoutException(
        timer.isClosed()
            ? "the cache was closed before backend " + backend + " answered"
            : "backend " + backend + " did not answer " + limit);
  }
}
