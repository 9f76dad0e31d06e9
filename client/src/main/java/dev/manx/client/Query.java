/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.tracing.QueryEnd;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
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
  final QueryAnswer<K, V> answer;

  private final Request request;
  private final Backend<K, V> backend;
  private final long startNanos;
  private final boolean cached;

  // Set before it starts; null: it is not followed, and has no context.
  private Traces.OfRequest requestTrace;

  // Guarded by this.
  private long lookedNanos;
  private int waiting;
  private boolean ended;
  // What the answers would be late for; empty where nothing else may be at hand.
  private Map<Load<K, V>, List<K>> underWay = Map.of();
  // Null unless the query has a context to carry, or is followed.
  private QueryContext context;
  private Set<Load<K, V>> loads = Set.of();

  /**
   * @param found values that are there already; it becomes the answer
   * @param cached whether the query goes through the cache
   */
  Query(Request request, Backend<K, V> backend, long startNanos, Map<K, V> found, boolean cached) {
    this.request = request;
    this.backend = backend;
    this.startNanos = startNanos;
    this.cached = cached;
    answer = new QueryAnswer<>(found);
  }

  /**
   * From now on each key fails for itself.
   *
   * @param keys not answered yet
   * @param failures takes what goes wrong
   */
  synchronized void each(Collection<? extends K> keys, Map<K, Throwable> failures) {
    answer.each(keys, failures);
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
  CompletableFuture<Map<K, V>> notBegun(RuntimeException why) {
    synchronized (this) {
      answer.fail(why);
    }
    answer.settle();
    return answer;
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
  synchronized Set<K> lookedUp(Collection<? extends K> keys, Map<K, V> there) {
    return ended ? Set.of() : answer.lookedUp(keys, there);
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
    List<K> wanted = new ArrayList<>(missing.size());
    for (K key : missing) {
      if (!backend.isKnownAbsent(key)) {
        wanted.add(key);
      }
    }
    synchronized (this) {
      answer.misses(missing.size() - wanted.size(), wanted);
      // The time of hits, if there are any.
      lookedNanos = answer.hits() == 0 ? 0 : backend.nanoTime() - startNanos;
    }
    return wanted;
  }

  /** Loads keys past the cache. */
  void loadUncached(List<K> wanted) {
    follow();
    synchronized (this) {
      answer.misses(0, wanted);
    }
    backend.loads().loadUncached(wanted, context(), this::await);
  }

  private QueryContext context() {
    if (requestTrace == null) {
      return null;
    }
    synchronized (this) {
      return context;
    }
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
      if (error == null) {
        if (take(load, keys, values)) {
          end(null);
        }
      } else {
        Throwable why = error instanceof CompletionException e ? e.getCause() : error;
        failed(load, takeBelow(load, keys), load.stale, why);
      }
    } catch (Throwable e) {
      // A key's equals or hashCode failed.
      end(e);
    }
  }

  /** Takes what the second level had though the load has failed or is late; the other keys. */
  private synchronized List<K> takeBelow(Load<K, V> load, List<K> keys) {
    return ended ? keys : answer.takeBelow(load, keys);
  }

  /**
   * Old values for keys that got none, and a failure for the others.
   *
   * @param load that has failed; null: the request's time is over for all that is left
   */
  private void failed(Load<K, V> load, List<K> keys, Map<K, V> stale, Throwable why) {
    List<K> old = keys.stream().filter(stale::containsKey).toList();
    boolean answered;
    synchronized (this) {
      if (ended) {
        return;
      }
      answered = answer.isOfEach() || old.size() == keys.size();
      if (answered) {
        // Only now: until its keys have an answer, the request's time may be over for them too.
        arrived(load);
        answer.takeStale(old, stale);
        backend.counters().staleAnswers.add(old.size());
        answer.fail(keys, why);
        if (--waiting > 0 && load != null) {
          return;
        }
      }
    }
    end(answered ? null : why);
  }

  /** Guarded by this. */
  private void arrived(Load<K, V> load) {
    if (load != null && !underWay.isEmpty()) {
      underWay.remove(load);
    }
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
      failed(null, others, backend.loads().staleHere(others), why);
    } catch (Throwable e) {
      // A key's equals or hashCode failed.
      end(why);
    }
  }

  /** Whether its end runs what the application, or a derived future, has attached. */
  boolean hasCallbacks() {
    return answer.getNumberOfDependents() > 0;
  }

  /** Takes the values of one load; whether it was the last that this query waits for. */
  private synchronized boolean take(Load<K, V> load, List<K> keys, Map<K, V> values) {
    if (ended) {
      return false;
    }
    arrived(load);
    answer.take(keys, values);
    return --waiting == 0;
  }

  /** Ends the query unless it has ended; a failure of null means success. */
  void end(Throwable why) {
    int hitKeys;
    int missKeys;
    long hitNanos;
    boolean followed;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      followed = context != null;
      if (why != null) {
        answer.fail(why);
      }
      hitKeys = answer.hits();
      missKeys = answer.misses();
      hitNanos = lookedNanos;
    }
    try {
      // The books are closed before the application hears of it, so that it can complete the
      // request.
      request.ended(this, hitKeys, hitNanos, missKeys, cached);
      if (followed) {
        tellEnd();
      }
    } finally {
      answer.settle();
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
      how = answer.end(cached);
    }
    following.ended(waited, how);
  }

  /**
   * How a query ends that never waits.
   *
   * @param keys that it would have waited for
   */
  QueryEnd endOfRejected(int keys, Throwable why) {
    return answer.rejected(cached, keys, why);
  }

  /** An answer for one key of a query for one key, null if it does not exist. */
  static <K, V> CompletableFuture<V> only(CompletableFuture<Map<K, V>> answer, K key) {
    return answer.thenApply(map -> map.get(key));
  }

  /** A map that takes so many entries without growing. */
  static <K, V> Map<K, V> mapFor(int entries) {
    return new HashMap<>((int) Math.min(1 << 30, entries + entries / 3L + 1));
  }
}
