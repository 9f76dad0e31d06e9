/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Alarm;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The record of one request: the queries that it waits for, its latency, and the backend that
 * blocked it. Thread-safe.
 */
abstract class RequestRecord {
  /* A hit costs 64 bytes in addition to Caffeine: 40 for this object and 24 for the answer's
   * future. So the end of the request, a settled blame, and that all its queries so far were
   * rejected are special values of slowestNanos, and this object and the request are one. */
  private static final long REJECTED = -3;
  private static final long COMPLETE = -2;
  private static final long BLAMED = -1;
  private static final AtomicLongFieldUpdater<RequestRecord> SLOWEST =
      AtomicLongFieldUpdater.newUpdater(RequestRecord.class, "slowestNanos");

  /** A latency, if the application's clock failed. */
  static final long UNKNOWN_NANOS = -1;

  private final FanoutCache cache;
  private final long startNanos;

  // Guarded by this; hits read the first without the lock.
  private volatile long slowestNanos;
  private Blocker blocker;
  private Pending pending;

  RequestRecord(FanoutCache cache, long startNanos) {
    this.cache = cache;
    this.startNanos = startNanos;
  }

  /** The cache's clock. */
  final long nanoTime() {
    return cache.nanoTime();
  }

  /** Time limit of its queries from its start; 0: only the backends' time-outs apply. */
  long limitNanos() {
    return cache.limitNanos();
  }

  /** Time since its start, or {@link #UNKNOWN_NANOS}. */
  long passedNanos() {
    try {
      return Math.max(0, cache.nanoTime() - startNanos);
    } catch (Throwable e) {
      return UNKNOWN_NANOS;
    }
  }

  /** Begins to wait for a query; false if the request is complete. */
  final synchronized boolean waitFor(Query<?, ?> query) {
    if (slowestNanos == COMPLETE) {
      return false;
    }
    // Before it is pending: the timer may end it at once.
    query.belongsTo(pending().trace);
    if (!pending.isTimed()) {
      pending.endBy(alarm());
    }
    pending.add(query);
    return true;
  }

  /** Set to its time limit; null if it has none. */
  private Alarm alarm() {
    long limit = limitNanos();
    if (limit == 0) {
      return null;
    }
    try {
      long left = limit - (cache.nanoTime() - startNanos);
      return cache.timer().after(Math.max(0, left), this::timeOut);
    } catch (Throwable e) {
      // Closed concurrently, or no thread can be created, or the application's clock has failed.
      // The backend's time-out remains.
      return null;
    }
  }

  /**
   * Records that a query was rejected because too many are waiting. Traces show it, although the
   * query never waits.
   */
  final void rejected(Query<?, ?> query, int keys, OverloadException why) {
    Traces.OfRequest trace;
    synchronized (this) {
      boolean traced = cache.traces() != null && slowestNanos != COMPLETE;
      trace = traced ? pending().trace : null;
      if (slowestNanos == 0 && blocker == null) {
        SLOWEST.lazySet(this, REJECTED);
      }
    }
    if (trace != null) {
      trace.rejected(query.backend().name(), query.endOfRejected(keys, why));
    }
  }

  /** Guarded by this. */
  private Pending pending() {
    if (pending == null) {
      pending = new Pending(cache.traces() == null ? null : cache.traces().request());
    }
    return pending;
  }

  /** Records a query that the local store answered; false if the request is complete. */
  final boolean hit(Backend<?, ?> backend, int keys, long queryStartNanos) {
    long nanos = cache.nanoTime() - queryStartNanos;
    long slowest = slowestNanos;
    // Without the lock: most hits are not the slowest query, and change nothing.
    boolean changesNothing = slowest == BLAMED || (slowest > 0 && nanos <= slowest);
    if (!changesNothing && !mayBeSlowest(backend, nanos)) {
      return false;
    }
    backend.hit(keys, nanos);
    return true;
  }

  private synchronized boolean mayBeSlowest(Backend<?, ?> backend, long nanos) {
    if (slowestNanos == COMPLETE) {
      return false;
    }
    slowest(backend.hit(), nanos);
    return true;
  }

  /** Records the end of a query, and returns its time; called once for each. */
  long ended(Query<?, ?> query) {
    Backend<?, ?> backend = query.backend();
    // Unknown if the application's clock fails; the query waits no more all the same.
    long nanos = 0;
    try {
      nanos = cache.nanoTime() - query.startNanos();
    } finally {
      synchronized (this) {
        pending.remove(query);
        if (slowestNanos != COMPLETE) {
          slowest(query, nanos);
        } else if (pending.isEmpty()) {
          waitsNoMore();
        }
      }
      backend.waitsNoMore();
    }
    return nanos;
  }

  private void slowest(Blocker query, long nanos) {
    if (slowestNanos != BLAMED && (blocker == null || nanos > slowestNanos)) {
      SLOWEST.lazySet(this, Math.max(0, nanos));
      blocker = query;
    }
  }

  private void timeOut() {
    List<Query<?, ?>> late;
    synchronized (this) {
      if (pending == null) {
        return;
      }
      if (slowestNanos != COMPLETE) {
        blameOldest();
      }
      late = pending.takeLate();
    }
    LateQueries.end(late, limitNanos(), cache.timer());
  }

  private void blameOldest() {
    if (slowestNanos != BLAMED && pending != null && !pending.isEmpty()) {
      blocker = pending.oldest();
      SLOWEST.lazySet(this, BLAMED);
    }
  }

  /** Guarded by this. */
  private void waitsNoMore() {
    pending.stop();
    pending = null;
  }

  /** Ends the request and records it, unless its latency is unknown. Idempotent. */
  final void finish() {
    Blocker blamed;
    boolean givenUp;
    boolean rejected;
    Traces.OfRequest trace = null;
    synchronized (this) {
      if (slowestNanos == COMPLETE) {
        return;
      }
      blameOldest();
      blamed = blocker;
      blocker = null;
      givenUp = slowestNanos == BLAMED;
      rejected = slowestNanos == REJECTED;
      SLOWEST.lazySet(this, COMPLETE);
      if (pending != null) {
        trace = pending.trace;
        if (pending.isEmpty()) {
          waitsNoMore();
        }
      }
    }
    if (trace != null) {
      trace.ended(blamed == null ? null : blamed.backend().name(), givenUp);
    }
    if (blamed == null) {
      cache.requests().completedWithoutQueries(rejected);
      return;
    }
    long nanos = passedNanos();
    if (nanos != UNKNOWN_NANOS) {
      cache.requests().completed(blamed.backend(), nanos, givenUp, blamed.missed(givenUp));
    }
  }
}
