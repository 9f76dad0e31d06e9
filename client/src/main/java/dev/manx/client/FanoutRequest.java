/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Consumer;

/**
 * One fan-out request of the application, for example a page, from {@link FanoutCache#request()} to
 * {@link #complete()}.
 *
 * <pre>{@code
 * try (FanoutRequest request = cache.request()) {
 *   CompletableFuture<Map<Integer, Song>> songs = request.query(songBackend, ids);
 *   CompletableFuture<User> user = request.queryOne(userBackend, name);
 *   return page(user.join(), songs.join());
 * }
 * }</pre>
 *
 * <p>On completion the request records its latency and the backend that blocked it, which is the
 * backend of its slowest query. A failed query counts with the time until it failed. If a request
 * is completed or times out while queries are pending, the backend of the oldest one blocked it. If
 * that query waited for no miss, such as an uncached one, the request does not count for the
 * division of the cache: no share would make it faster. Requests without queries, requests whose
 * queries were all rejected, and requests that are never completed are not recorded.
 *
 * <p>Thread-safe. No method blocks unless a loader blocks its caller. Futures complete on the
 * thread on which the loader answers, or on a thread of the cache's timer. No method throws into
 * the application: failures complete the future exceptionally, with the loader's exception, {@link
 * TimeoutException}, {@link BreakerOpenException}, {@link OverloadException}, or {@link
 * IllegalStateException} after the end of the request, the backend or the cache.
 */
public class FanoutRequest implements AutoCloseable {
  /* A hit costs 64 bytes in addition to Caffeine: 40 for this object and 24 for the answer's
   * future. So the end of the request, a settled blame, and that all its queries so far were
   * rejected are special values of slowestNanos. */
  private static final long REJECTED = -3;
  private static final long COMPLETE = -2;
  private static final long BLAMED = -1;
  private static final AtomicLongFieldUpdater<FanoutRequest> SLOWEST =
      AtomicLongFieldUpdater.newUpdater(FanoutRequest.class, "slowestNanos");

  private final FanoutCache cache;
  private final long startNanos;

  // Guarded by this; hits read the first without the lock.
  private volatile long slowestNanos;
  private Blocker blocker;
  private Pending pending;

  FanoutRequest(FanoutCache cache, long startNanos) {
    this.cache = cache;
    this.startNanos = startNanos;
  }

  /**
   * Queries several keys of a backend.
   *
   * @return completes with the values by key, unordered; keys that do not exist are omitted
   */
  public final <K, V> CompletableFuture<Map<K, V>> query(
      Backend<K, V> backend, Collection<? extends K> keys) {
    try {
      return look(backend, keys, null);
    } catch (Throwable e) {
      // A null key, a failing hashCode, or a collection modified concurrently.
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Queries several keys of a backend individually: the failure of some keys, or the deadline, does
   * not affect the answers of the others.
   *
   * @return completes with values and failures by key; exceptionally only for invalid keys and
   *     after the end of the request
   */
  public final <K, V> CompletableFuture<QueryResults<K, V>> queryEach(
      Backend<K, V> backend, Collection<? extends K> keys) {
    try {
      Map<K, Throwable> failed = new HashMap<>();
      return look(backend, keys, failed).thenApply(found -> new QueryResults<>(found, failed));
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Looks into the cache and loads the rest.
   *
   * @param failed receives failures by key; null if the first failure fails the whole query
   */
  private <K, V> CompletableFuture<Map<K, V>> look(
      Backend<K, V> backend, Collection<? extends K> keys, Map<K, Throwable> failed) {
    if (keys.isEmpty()) {
      return CompletableFuture.completedFuture(Query.mapFor(0));
    }
    long start = cache.nanoTime();
    Map<K, V> found = Query.mapFor(keys.size());
    if (!backend.lookUps().areHere()) {
      // Read again when the store answers: later changes of the caller's collection must have no
      // effect.
      List<K> own = List.copyOf(keys);
      Query<K, V> query = new Query<>(this, backend, start, found, 0, true);
      if (failed != null) {
        query.each(own, failed);
      }
      return begin(query, own.size(), waits -> waits.lookUp(own));
    }
    Collection<K> missing = LocalLook.look(backend, keys, found);
    if (missing.isEmpty()) {
      return hit(backend, found.size(), start)
          ? CompletableFuture.completedFuture(found)
          : refused();
    }
    return load(backend, start, found, missing, failed);
  }

  /**
   * Loads the keys that the store in this process does not have, except those known to be absent.
   */
  private <K, V> CompletableFuture<Map<K, V>> load(
      Backend<K, V> backend,
      long start,
      Map<K, V> found,
      Collection<K> missing,
      Map<K, Throwable> failed) {
    List<K> wanted = backend.notKnownAbsent(missing);
    int absent = missing.size() - wanted.size();
    if (wanted.isEmpty()) {
      if (!hit(backend, found.size() + absent, start)) {
        return refused();
      }
      backend.counters().absentHits.add(absent);
      return CompletableFuture.completedFuture(found);
    }
    Query<K, V> query = new Query<>(this, backend, start, found, absent, true);
    if (failed != null) {
      query.each(wanted, failed);
    }
    query.misses(wanted);
    return begin(query, wanted.size(), waits -> waits.load(wanted));
  }

  /**
   * Queries one key of a backend.
   *
   * @return completes with the value, or with null if the key does not exist
   */
  public final <K, V> CompletableFuture<V> queryOne(Backend<K, V> backend, K key) {
    if (key == null || backend == null) {
      return CompletableFuture.failedFuture(
          new NullPointerException(key == null ? "key" : "backend"));
    }
    if (!backend.lookUps().areHere()) {
      return Query.only(query(backend, List.of(key)), key);
    }
    long start = cache.nanoTime();
    V value = backend.lookUps().here(key);
    if (value != null) {
      return hit(backend, 1, start) ? CompletableFuture.completedFuture(value) : refused();
    }
    try {
      return Query.only(load(backend, start, Query.mapFor(1), List.of(key), null), key);
    } catch (Throwable e) {
      // A failing hashCode.
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Queries keys whose values must neither come from the cache nor be stored there, such as writes,
   * searches, or per-user data. Counts like any query for latency and blame.
   */
  public final <K, V> CompletableFuture<Map<K, V>> queryUncached(
      Backend<K, V> backend, Collection<? extends K> keys) {
    try {
      List<K> own = List.copyOf(new LinkedHashSet<>(keys));
      if (own.isEmpty()) {
        return CompletableFuture.completedFuture(Query.mapFor(0));
      }
      return begin(
          new Query<>(this, backend, cache.nanoTime(), Query.mapFor(own.size()), 0, false),
          own.size(),
          query -> query.loadUncached(own));
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private <K, V> CompletableFuture<Map<K, V>> begin(
      Query<K, V> query, int keys, Consumer<Query<K, V>> start) {
    if (!query.backend().isOpen()) {
      return query.notBegun(
          new IllegalStateException(
              "backend " + query.backend().name() + " was removed, or the cache is closed"));
    }
    if (!query.backend().mayWait()) {
      return rejected(query, keys);
    }
    synchronized (this) {
      if (slowestNanos == COMPLETE) {
        query.backend().waitsNoMore();
        return refused();
      }
      // Before it is pending: the timer may end it at once.
      query.belongsTo(pending().trace);
      if (!pending.isTimed()) {
        pending.endBy(cache.atTimeOut(startNanos, limitNanos(), this::timeOut));
      }
      pending.add(query);
    }
    try {
      start.accept(query);
    } catch (Throwable e) {
      query.end(e);
    }
    return query.answer;
  }

  /**
   * Rejects a query because too many are waiting. Traces show it, although the query never waits.
   */
  private <K, V> CompletableFuture<Map<K, V>> rejected(Query<K, V> query, int keys) {
    OverloadException why = query.backend().overload();
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
    return query.notBegun(why);
  }

  /** Guarded by this. */
  private Pending pending() {
    if (pending == null) {
      pending = new Pending(cache.traces() == null ? null : cache.traces().request());
    }
    return pending;
  }

  /** Time limit of its queries from its start; 0: only the backends' time-outs apply. */
  long limitNanos() {
    return cache.limitNanos();
  }

  private static <T> CompletableFuture<T> refused() {
    return CompletableFuture.failedFuture(new IllegalStateException("the request is complete"));
  }

  private boolean hit(Backend<?, ?> backend, int keys, long queryStartNanos) {
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

  /**
   * Ends the request and records it. Pending queries continue, at most until the request's
   * deadline; the record no longer changes. Idempotent.
   */
  public final void complete() {
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
      cache.completedWithoutQueries(rejected);
    } else {
      cache.completed(
          blamed.backend(), cache.nanoTime() - startNanos, givenUp, blamed.missed(givenUp));
    }
  }

  /** Completes the request when a stage succeeds or fails, and returns the stage. */
  public final <T> CompletionStage<T> completeAfter(CompletionStage<T> stage) {
    return stage.whenComplete((value, error) -> complete());
  }

  /** Calls {@link #complete()}. */
  @Override
  public final void close() {
    complete();
  }
}
