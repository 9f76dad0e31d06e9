/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.tracing.QueryEnd;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One query of a request while it waits for a backend or a remote store. It ends once: when all its
 * values have arrived, with the first failure, or when its request times out.
 */
final class Query<K, V> implements Blocker {
  /** The future that the application waits for. */
  final QueryAnswer<K, V> answer;

  private final FanoutRequest request;
  private final Backend<K, V> backend;
  private final long startNanos;
  private final boolean cached;

  // Set before its request waits for it; null: not traced, and without a context.
  private QueryFollower<K, V> follower;

  // Guarded by this.
  private long lookedNanos;
  private int waiting;
  private boolean ended;
  // Loads in progress and their keys; empty if no fallback values are possible. Null stands for
  // loads that are about to begin.
  private Map<LoaderCall<K, V>, List<K>> underWay = Map.of();

  /**
   * @param found values that are already there; this map becomes the answer
   * @param absent number of keys already known not to exist
   * @param cached whether the query uses the cache
   */
  Query(
      FanoutRequest request,
      Backend<K, V> backend,
      long startNanos,
      Map<K, V> found,
      int absent,
      boolean cached) {
    this.request = request;
    this.backend = backend;
    this.startNanos = startNanos;
    this.cached = cached;
    answer = new QueryAnswer<>(found, absent);
  }

  /**
   * Lets each key fail individually.
   *
   * @param keys keys without an answer yet
   * @param failures receives the failures
   */
  synchronized void each(Collection<? extends K> keys, Map<K, Throwable> failures) {
    answer.each(keys, failures);
  }

  /** Starts the trace, on the caller's thread, once it is known that the query waits. */
  private void follow() {
    if (follower == null) {
      return;
    }
    QueryContext begun = follower.begin(backend.name());
    synchronized (this) {
      follower.begun(begun);
      if (!ended) {
        return;
      }
    }
    // The request timed out in the meantime.
    notifyEnd();
  }

  /** Sets the trace of its request, or null, before the request waits for it. */
  void belongsTo(Traces.OfRequest trace) {
    follower = trace == null ? null : new QueryFollower<>(trace);
  }

  /** The answer of a query that cannot begin. */
  CompletableFuture<Map<K, V>> notBegun(RuntimeException why) {
    synchronized (this) {
      answer.fail(why);
    }
    answer.settle();
    return answer;
  }

  @Override
  public Backend<K, V> backend() {
    return backend;
  }

  @Override
  public synchronized boolean missed(boolean pending) {
    return cached && (pending || answer.asked() > 0);
  }

  long startNanos() {
    return startNanos;
  }

  /** Looks into a remote store, then loads missing keys. */
  void lookUp(Collection<? extends K> keys) {
    follow();
    new RemoteLookUp<>(this, backend).begin(keys);
  }

  /** Ends a query for which no thread was free in time to load keys. */
  void giveUp(Set<K> missing) {
    List<K> wanted = wanted(missing);
    if (wanted.isEmpty()) {
      end(null);
    } else {
      await(Map.of(backend.loads().notBegun(wanted), wanted));
    }
  }

  /** Takes the store's values; returns the missing keys. */
  synchronized Set<K> lookedUp(Collection<? extends K> keys, Map<K, V> there) {
    return ended ? Set.of() : answer.lookedUp(keys, there);
  }

  /** Loads keys missing from a remote store, except those known not to exist. */
  void loadMissing(Set<K> missing) {
    List<K> wanted = wanted(missing);
    if (wanted.isEmpty()) {
      end(null);
    } else {
      backend.loads().load(wanted, context(), this::await);
    }
  }

  /**
   * Sets the keys missing from a store in this process and not known to be absent, before its
   * request waits for it: from then on, it may time out.
   */
  synchronized void misses(List<K> wanted) {
    misses(0, wanted);
    if (backend.loads().mayAnswerLate()) {
      underWay = Collections.singletonMap(null, wanted);
    }
  }

  /** Loads these keys. */
  void load(List<K> wanted) {
    follow();
    backend.loads().load(wanted, context(), this::await);
  }

  /** The keys that must be loaded. */
  private List<K> wanted(Set<K> missing) {
    List<K> wanted = backend.notKnownAbsent(missing);
    misses(missing.size() - wanted.size(), wanted);
    return wanted;
  }

  private synchronized void misses(int absent, List<K> wanted) {
    answer.misses(absent, wanted);
    // The latency of hits, if any.
    lookedNanos = answer.hits() == 0 ? 0 : backend.nanoTime() - startNanos;
  }

  /** Loads keys with the cache bypassed. */
  void loadUncached(List<K> wanted) {
    follow();
    synchronized (this) {
      answer.misses(0, wanted);
    }
    backend.loads().loadUncached(wanted, context(), this::await);
  }

  private QueryContext context() {
    if (follower == null) {
      return null;
    }
    synchronized (this) {
      return follower.context();
    }
  }

  private void await(Map<LoaderCall<K, V>, List<K>> all) {
    synchronized (this) {
      waiting = all.size();
      if (cached && backend.loads().mayAnswerLate()) {
        underWay = new HashMap<>(all);
      }
      if (follower != null) {
        follower.waitsFor(all.keySet());
      }
    }
    all.forEach(
        (load, keys) -> load.whenAnswered((values, error) -> part(load, keys, values, error)));
  }

  private void part(LoaderCall<K, V> load, List<K> keys, Map<K, V> values, Throwable error) {
    try {
      if (take(load, keys, values, error)) {
        ended();
      }
    } catch (Throwable e) {
      // A key's equals or hashCode failed.
      end(e);
    }
  }

  /** Takes the end of one load; returns whether it was the last and has set the query's end. */
  private synchronized boolean take(
      LoaderCall<K, V> load, List<K> keys, Map<K, V> values, Throwable error) {
    if (ended) {
      return false;
    }
    Throwable why = answer.take(load, keys, values, error);
    if (why != null) {
      return setEnd(why);
    }
    // Only now: until its keys have an answer, the request may time out for them too.
    if (!underWay.isEmpty()) {
      underWay.remove(load);
    }
    return --waiting == 0 && setEnd(null);
  }

  /** The request has timed out: answers with available values, however old. */
  void late(Throwable why) {
    try {
      // Outside the lock. In the meantime, any of these keys may get an answer.
      Map<K, V> stale = backend.loads().staleHere(keysUnderWay());
      synchronized (this) {
        if (ended || !setEnd(answer.takeLate(underWay, stale, why))) {
          return;
        }
      }
      ended();
    } catch (Throwable e) {
      // A key's equals or hashCode failed.
      end(why);
    }
  }

  private synchronized List<K> keysUnderWay() {
    List<K> keys = new ArrayList<>();
    underWay.values().forEach(keys::addAll);
    return keys;
  }

  /** Whether its end runs callbacks of the application or of a derived future. */
  boolean hasCallbacks() {
    return answer.getNumberOfDependents() > 0;
  }

  /** Ends the query unless it has ended; null means success. */
  void end(Throwable why) {
    synchronized (this) {
      if (!setEnd(why)) {
        return;
      }
    }
    ended();
  }

  /** Returns whether it had not ended before. Guarded by this. */
  private boolean setEnd(Throwable why) {
    if (ended) {
      return false;
    }
    ended = true;
    if (follower != null) {
      follower.ends();
    }
    if (why != null) {
      answer.fail(why);
    }
    return true;
  }

  /** Called once, by the thread that has set its end. */
  private void ended() {
    long hitNanos;
    QueryContext caller;
    synchronized (this) {
      hitNanos = lookedNanos;
      caller = follower == null ? null : follower.caller();
    }
    try {
      // The counters are updated before the application is notified, so that it can complete the
      // request.
      long nanos = request.ended(this);
      backend.ended(answer, hitNanos, nanos, cached);
    } finally {
      settle(caller);
    }
  }

  /**
   * Completes the future, once its trace has ended.
   *
   * @param caller the context in which its callbacks run; null: none
   */
  private void settle(QueryContext caller) {
    if (caller == null) {
      answer.settle();
      return;
    }
    try {
      notifyEnd();
    } finally {
      caller.complete(answer);
    }
  }

  /** Reports its end to the trace. */
  private void notifyEnd() {
    Runnable report;
    synchronized (this) {
      report = follower.report(answer.end(cached));
    }
    report.run();
  }

  /**
   * The end of a query that never waits.
   *
   * @param keys number of keys that it would have waited for
   */
  QueryEnd endOfRejected(int keys, Throwable why) {
    return answer.rejected(cached, keys, why);
  }

  /** The answer for the key of a single-key query; null if the key does not exist. */
  static <K, V> CompletableFuture<V> only(CompletableFuture<Map<K, V>> answer, K key) {
    return answer.thenApply(map -> map.get(key));
  }

  /** A map that holds this many entries without growing. */
  static <K, V> Map<K, V> mapFor(int entries) {
    return new HashMap<>((int) Math.min(1 << 30, entries + entries / 3L + 1));
  }
}
