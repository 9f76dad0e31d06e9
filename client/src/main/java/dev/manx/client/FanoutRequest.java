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
 * queries were all rejected, requests that are never completed, and those during which the
 * application's clock failed are not recorded.
 *
 * <p>Thread-safe. No method blocks unless a loader blocks its caller. Futures complete on the
 * thread on which the loader answers, or on a thread of the cache's timer. No method throws into
 * the application: failures complete the future exceptionally, with the loader's exception, {@link
 * TimeoutException}, {@link BreakerOpenException}, {@link OverloadException}, or {@link
 * IllegalStateException} after the end of the request, the backend or the cache.
 */
public class FanoutRequest extends RequestRecord implements AutoCloseable {
  FanoutRequest(FanoutCache cache, long startNanos) {
    super(cache, startNanos);
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
    long start = nanoTime();
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
    try {
      long start = nanoTime();
      V value = backend.lookUps().here(key);
      if (value != null) {
        return hit(backend, 1, start) ? CompletableFuture.completedFuture(value) : refused();
      }
      return Query.only(load(backend, start, Query.mapFor(1), List.of(key), null), key);
    } catch (Throwable e) {
      // A failing hashCode or clock.
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
          new Query<>(this, backend, nanoTime(), Query.mapFor(own.size()), 0, false),
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
      OverloadException why = query.backend().overload();
      rejected(query, keys, why);
      return query.notBegun(why);
    }
    if (!waitFor(query)) {
      query.backend().waitsNoMore();
      return refused();
    }
    try {
      start.accept(query);
    } catch (Throwable e) {
      query.end(e);
    }
    return query.answer;
  }

  private static <T> CompletableFuture<T> refused() {
    return CompletableFuture.failedFuture(new IllegalStateException("the request is complete"));
  }

  /**
   * Ends the request and records it. Pending queries continue, at most until the request's
   * deadline; the record no longer changes. Idempotent.
   */
  public final void complete() {
    finish();
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
