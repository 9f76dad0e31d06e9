/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Alarm;
import dev.manx.client.timer.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;

/** Ends the queries of a request that has timed out. */
final class LateQueries {
  /* A callback of one query may wait for another query of the same request, which would
   * otherwise end after that callback. So queries without callbacks end first, and each other query
   * on a separate thread. */
  private LateQueries() {}

  /**
   * Ends them, on a thread of the timer.
   *
   * @param timer timer whose threads run callbacks
   */
  static void end(List<Query<?, ?>> late, Timer timer) {
    List<Query<?, ?>> others = new ArrayList<>(late.size());
    for (Query<?, ?> query : late) {
      if (query.hasCallbacks()) {
        others.add(query);
      } else {
        end(query);
      }
    }
    int last = others.size() - 1;
    for (int i = 0; i <= last; i++) {
      Query<?, ?> query = others.get(i);
      if (i == last) {
        end(query);
      } else {
        endElsewhere(query, timer);
      }
    }
  }

  private static void endElsewhere(Query<?, ?> query, Timer timer) {
    try {
      Alarm unused = timer.after(0, () -> end(query));
    } catch (RejectedExecutionException e) {
      // The cache is closed.
      end(query);
    }
  }

  private static void end(Query<?, ?> query) {
    query.late(new TimeoutException("the request did not end in time"));
  }
}
