/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.log.SparseLog;
import java.util.concurrent.atomic.LongAdder;

/** Counters of one backend since it was added. Thread-safe. */
final class BackendCounters {
  private final String backend;
  private final SparseLog log = new SparseLog(Backend.class);

  /** Keys found in the cache. */
  final LongAdder hits = new LongAdder();

  /** Keys that required the backend. */
  final LongAdder misses = new LongAdder();

  /** Keys answered as absent without a load. */
  final LongAdder absentHits = new LongAdder();

  /** Keys that waited for another query's load. */
  final LongAdder coalesced = new LongAdder();

  /** Keys queried with the cache bypassed. */
  final LongAdder uncached = new LongAdder();

  /** Loads that failed. */
  final LongAdder failures = new LongAdder();

  /** Loads that timed out. */
  final LongAdder timeOuts = new LongAdder();

  /** Keys refreshed in the background. */
  final LongAdder refreshes = new LongAdder();

  /** Keys answered with an expired value because the backend failed. */
  final LongAdder staleAnswers = new LongAdder();

  /** Loads not begun because the breaker was open. */
  final LongAdder broken = new LongAdder();

  /** Queries refused because too many were pending. */
  final LongAdder refused = new LongAdder();

  /** Values not cached because sizer, codec or expiry failed. */
  final LongAdder notKept = new LongAdder();

  /** Look-ups for which a store threw, and removals that failed and that no caller waits for. */
  final LongAdder lookUpFailures = new LongAdder();

  /** Requests whose slowest query went to this backend. */
  final LongAdder blocked = new LongAdder();

  /**
   * @param backend its name
   */
  BackendCounters(String backend) {
    this.backend = backend;
  }

  /** Counts values that are not cached because sizer, codec or expiry failed, and logs why. */
  void notKept(long values, Throwable why) {
    notKept.add(values);
    log.warn("values of backend " + backend + " are not cached", why);
  }

  /** Counts a removal for another server that the store did not carry out, and logs why. */
  void notForgotten(Throwable why) {
    lookUpFailures.increment();
    log.warn("backend " + backend + " may answer values that another server has invalidated", why);
  }
}
