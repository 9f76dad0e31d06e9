/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.tracing.QueryEnd;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One query of a request while it waits for a backend or a remote store. It ends once: when all it
 * waits for is there, with the first failure, or when its request times out.
 */
final class Query<K, V> {
  /** What the application waits for. */
  final CompletableFuture<Map<K, V>> result = new CompletableFuture<>();

  private final Request request;
  private final Backend<K, V> backend;
  private final long startNanos;
  private final boolean cached;

  // Of the thread that starts it.
  private Traces.OfRequest requestTrace;

  // Guarded by this.
  private final Map<K, V> found;
  private int hits;
  private int misses;
  private long lookedNanos;
  private int waiting;
  private boolean ended;
  // What the answers would be late for; empty where nothing else may be at hand.
  private Map<Load<K, V>, List<K>> underWay = Map.of();
  // Null unless each key fails for itself: the keys without an answer yet, and the failures.
  private Set<K> open;
  private Map<K, Throwable> failed;
  // Null unless the query has a context to carry, or is followed.
  private QueryContext context;
  private Set<Load<K, V>> loads = Set.of();
  private int staleKeys;
  private Throwable failure;

  /**
   * @param found values that are there already; it becomes the answer
   * @param cached whether the query goes through the cache
   */
  Query(Request request, Backend<K, V> backend, long startNanos, Map<K, V> found, boolean cached) {
    this.request = request;
    this.backend = backend;
    this.startNanos = startNanos;
    this.found = found;
    this.hits = found.size();
    this.cached = cached;
  }

  /**
   * From now on each key fails for itself.
   *
   * @param keys not answered yet
   * @param failures takes what goes wrong
   */
  synchronized void each(Collection<? extends K> keys, Map<K, Throwable> failures) {
    open = new LinkedHashSet<>(keys);
    failed = failures;
  }

  /** On the caller's thread, once it is known that the query waits. */
  private void follow() {
    if (requestTrace == null) {
      return;
    }
    QueryContext begun = requestTrace.query(backend.name());
    synchronized (this) {
      context = begun;
      if (!ended) {
        return;
      }
    }
    // Its request timed out meanwhile.
    tellEnd();
  }

  /** Before it starts: the trace of its request, or null. */
  void belongsTo(Traces.OfRequest trace) {
    requestTrace = trace;
  }

  /** The answer of a query that cannot begin. */
  synchronized CompletableFuture<Map<K, V>> notBegun(RuntimeException why) {
    if (open == null) {
      return CompletableFuture.failedFuture(why);
    }
    open.forEach(key -> failed.put(key, why));
    return CompletableFuture.completedFuture(found);
  }

  Backend<K, V> backend() {
    return backend;
  }

  long startNanos() {
    return startNanos;
  }

  /** Looks into a store that is not in this process, then loads what it does not have. */
  void lookUp(Collection<? extends K> keys) {
    follow();
    new RemoteLookUp<>(this, backend).begin(keys);
  }

  /** No thread was free in time to load keys. */
  void giveUp(Set<K> missing) {
    List<K> wanted = wanted(missing);
    if (wanted.isEmpty()) {
      end(null);
    } else {
      await(Map.of(backend.loads().notBegun(wanted), wanted));
    }
  }

  /** Takes what the store has; the keys that it does not have. */
  Set<K> lookedUp(Collection<? extends K> keys, Map<K, V> there) {
    Set<K> missing = new LinkedHashSet<>();
    synchronized (this) {
      if (ended) {
        return missing;
      }
      for (K key : keys) {
        V value = there.get(key);
        if (value == null) {
          missing.add(key);
        } else {
          found.put(key, value);
        }
      }
      hits = found.size();
      if (open != null) {
        open.retainAll(missing);
      }
    }
    return missing;
  }

  /** Loads keys that the store does not have, but for those known not to exist. */
  void load(Collection<K> missing) {
    List<K> wanted = wanted(missing);
    if (wanted.isEmpty()) {
      end(null);
      return;
    }
    if (backend.isLocal()) {
      follow();
    }
    backend.loads().load(wanted, context(), this::await);
  }

  /** The keys that must be loaded. */
  private List<K> wanted(Collection<K> missing) {
    long looked = backend.nanoTime() - startNanos;
    List<K> wanted = new ArrayList<>(missing.size());
    for (K key : missing) {
      if (!backend.isKnownAbsent(key)) {
        wanted.add(key);
      }
    }
    synchronized (this) {
      lookedNanos = looked;
      hits += missing.size() - wanted.size();
      misses = wanted.size();
      if (open != null) {
        open.retainAll(wanted);
      }
    }
    return wanted;
  }

  /** Loads keys past the cache. */
  void loadUncached(List<K> wanted) {
    follow();
    synchronized (this) {
      misses = wanted.size();
    }
    backend.loads().loadUncached(wanted, context(), this::await);
  }

  private synchronized QueryContext context() {
    return context;
  }

  private void await(Map<Load<K, V>, List<K>> all) {
    synchronized (this) {
      waiting = all.size();
      if (cached && backend.loads().mayAnswerLate()) {
        underWay = new HashMap<>(all);
      }
      if (context != null) {
        loads = all.keySet();
      }
    }
    all.forEach(
        (load, keys) -> load.whenAnswered((values, error) -> part(load, keys, values, error)));
  }

  private void part(Load<K, V> load, List<K> keys, Map<K, V> values, Throwable error) {
    try {
      synchronized (this) {
        if (!underWay.isEmpty()) {
          underWay.remove(load);
        }
      }
      if (error == null) {
        if (take(keys, values)) {
          end(null);
        }
      } else {
        Throwable why = error instanceof CompletionException e ? e.getCause() : error;
        failed(takeBelow(load, keys), load.stale, why, false);
      }
    } catch (Throwable e) {
      // A key's equals or hashCode failed.
      end(e);
    }
  }

  /** Takes what the second level had though the load has failed or is late; the other keys. */
  private synchronized List<K> takeBelow(Load<K, V> load, List<K> keys) {
    List<K> others = new ArrayList<>(keys.size());
    for (K key : keys) {
      V value = load.below(key);
      if (value == null || ended) {
        others.add(key);
      } else {
        found.put(key, value);
        if (open != null) {
          open.remove(key);
        }
      }
    }
    return others;
  }

  /** Old values for keys that got none, and a failure for the others; whether it is the end. */
  private void failed(List<K> keys, Map<K, V> stale, Throwable why, boolean last) {
    List<K> old = keys.stream().filter(stale::containsKey).toList();
    boolean answered;
    synchronized (this) {
      if (ended) {
        return;
      }
      answered = open != null || old.size() == keys.size();
      if (answered) {
        old.forEach(key -> found.putIfAbsent(key, stale.get(key)));
        backend.counters().staleAnswers.add(old.size());
        staleKeys += old.size();
        if (open != null) {
          open.removeAll(old);
          keys.stream().filter(open::remove).forEach(key -> failed.put(key, why));
        }
        if (--waiting > 0 && !last) {
          return;
        }
      }
    }
    end(answered ? null : why);
  }

  /** The request's time is over: what is at hand, however old, is better than nothing. */
  void late(Throwable why) {
    try {
      Map<Load<K, V>, List<K>> left;
      synchronized (this) {
        left = Map.copyOf(underWay);
      }
      if (left.isEmpty()) {
        end(why);
        return;
      }
      List<K> others = new ArrayList<>();
      left.forEach((load, keys) -> others.addAll(takeBelow(load, keys)));
      failed(others, backend.loads().staleHere(others), why, true);
    } catch (Throwable e) {
      // A key's equals or hashCode failed.
      end(why);
    }
  }

  /** Whether its end runs what the application, or a derived future, has attached. */
  boolean hasCallbacks() {
    return result.getNumberOfDependents() > 0;
  }

  /** Takes the values of one load; whether it was the last that this query waits for. */
  private synchronized boolean take(List<K> keys, Map<K, V> values) {
    if (ended) {
      return false;
    }
    for (K key : keys) {
      V value = values.get(key);
      if (value != null) {
        found.put(key, value);
      }
      if (open != null) {
        open.remove(key);
      }
    }
    return --waiting == 0;
  }

  /** Ends the query unless it has ended; a failure of null means success. */
  void end(Throwable why) {
    int hitKeys;
    int missKeys;
    long hitNanos;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      failure = why;
      if (open != null && why != null) {
        open.forEach(key -> failed.put(key, why));
      }
      hitKeys = hits;
      missKeys = misses;
      hitNanos = lookedNanos;
    }
    // The books are closed before the application hears of it, so that it can complete the request.
    request.ended(this, hitKeys, hitNanos, missKeys, cached);
    tellEnd();
    if (why == null || open != null) {
      result.complete(found);
    } else {
      result.completeExceptionally(why);
    }
  }

  /** Tells who follows it how it has ended. */
  private void tellEnd() {
    QueryContext following;
    Set<Load<K, V>> waited;
    QueryEnd how;
    synchronized (this) {
      following = context;
      if (following == null) {
        return;
      }
      waited = loads;
      how = open == null ? endOfAll() : endOfEach();
    }
    following.ended(waited, how);
  }

  /**
   * How a query ends that never waits.
   *
   * @param keys that it would have waited for
   */
  QueryEnd endOfRejected(int keys, Throwable why) {
    // Without an answer of its own for each key, what was found is lost with the rest.
    int answered = open == null ? 0 : hits;
    return new QueryEnd(cached, hits, keys, answered, 0, hits + keys - answered, why);
  }

  private QueryEnd endOfAll() {
    int keys = hits + misses;
    return failure == null
        ? new QueryEnd(cached, hits, misses, found.size(), staleKeys, 0, null)
        : new QueryEnd(cached, hits, misses, 0, 0, keys, failure);
  }

  private QueryEnd endOfEach() {
    Throwable why = failure;
    if (why == null && !failed.isEmpty()) {
      why = failed.values().iterator().next();
    }
    return new QueryEnd(cached, hits, misses, found.size(), staleKeys, failed.size(), why);
  }

  /** An answer for one key of a query for one key, null if it does not exist. */
  static <K, V> CompletableFuture<V> only(CompletableFuture<Map<K, V>> answer, K key) {
    return answer.thenApply(map -> map.get(key));
  }

  /** A map that takes so many entries without growing. */
  static <K, V> Map<K, V> mapFor(int entries) {
    return new HashMap<>((int) Math.min(1 << 30, entries / 0.75 + 1));
  }
}
