/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.control.Recorder;
import java.util.concurrent.atomic.LongAdder;

/** Counts the completed requests of a cache, and records their latencies. Thread-safe. */
final class RequestCounts {
  private final Recorder recorder;
  private final LatencyListeners latencies;
  private final LongAdder completed = new LongAdder();
  private final LongAdder withoutQueries = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder givenUp = new LongAdder();

  RequestCounts(Recorder recorder, LatencyListeners latencies) {
    this.recorder = recorder;
    this.latencies = latencies;
  }

  /**
   * A request is complete that no backend has blocked.
   *
   * @param queriesRejected whether it had queries, all of which were rejected
   */
  void completedWithoutQueries(boolean queriesRejected) {
    completed.increment();
    (queriesRejected ? rejected : withoutQueries).increment();
  }

  /**
   * A request is complete.
   *
   * @param missed whether the query that blocked it waited for a miss
   */
  void completed(Backend<?, ?> blocker, long nanos, boolean wasGivenUp, boolean missed) {
    completed.increment();
    if (wasGivenUp) {
      givenUp.increment();
    }
    blocker.counters().blocked.increment();
    recorder.request(blocker.slot(), nanos, wasGivenUp, missed);
    latencies.request(nanos);
  }

  long completed() {
    return completed.sum();
  }

  long withoutQueries() {
    return withoutQueries.sum();
  }

  long rejected() {
    return rejected.sum();
  }

  long givenUp() {
    return givenUp.sum();
  }
}
