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
import java.util.function.Function;

/**
 * One query of a request while it waits for a backend or a remote store. It ends once: when all its
 * values have arrived, with the first failure, or when its request times out.
 */
final class Query<K, V> {
  /** The future that the application waits for. */
  final QueryAnswer<K, V> answer;

  private final FanoutRequest request;
  private final Backend<K, V> backend;
  private final long startNanos;
  private final boolean cached;

  // Set before it starts; null: not traced, and without a context.
  private Traces.OfRequest requestTrace;

  // Guarded by this.
  private long lookedNanos;
  private int waiting;
  private boolean ended;
  // Its context when it ended.
  private QueryContext followed;
  // Loads in progress and their keys; empty if no fallback values are possible.
  private Map<LoaderCall<K, V>, List<K>> underWay = Map.of();
  // Null unless the cache carries context, or traces.
  private QueryContext context;
  private Set<LoaderCall<K, V>> loads = Set.of();

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
    // Its request timed out in the meantime.
    notifyEnd();
  }

  /** Sets the trace of its request, or null, before it starts. */
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

  /** Loads keys missing from a store in this process and not known to be absent. */
  void load(List<K> wanted) {
    misses(0, wanted);
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
    if (requestTrace == null) {
      return null;
    }
    synchronized (this) {
      return context;
    }
  }

  private void await(Map<LoaderCall<K, V>, List<K>> all) {
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

  private void part(LoaderCall<K, V> load, List<K> keys, Map<K, V> values, Throwable error) {
    try {
      if (error == null && load.failed.isEmpty()) {
        if (take(load, keys, values)) {
          ended();
        }
      } else if (error == null) {
        takePart(load, keys, values);
      } else {
        failed(load, keys, LoaderCall.bare(error));
      }
    } catch (Throwable e) {
      // A key's equals or hashCode failed.
      end(e);
    }
  }

  /** Takes the values of a load of which some keys have failed. */
  private void takePart(LoaderCall<K, V> load, List<K> keys, Map<K, V> values) {
    List<K> answered = new ArrayList<>(keys);
    List<K> others = new ArrayList<>(keys);
    answered.removeIf(load.failed::containsKey);
    others.removeIf(key -> !load.failed.containsKey(key));
    synchronized (this) {
      if (ended) {
        return;
      }
      answer.take(answered, values);
      int early = load.countFound(answered);
      answer.early(early);
      answer.asked(keys.size() - early);
      boolean whole = takeOld(others, load.stale, load.failed::get);
      if (whole) {
        arrived(load, keys);
        if (--waiting > 0) {
          return;
        }
      }
      setEnd(whole ? null : firstFailure(load, others));
    }
    ended();
  }

  private static <K> Throwable firstFailure(LoaderCall<K, ?> load, List<K> failed) {
    return failed.stream()
        .filter(key -> !load.stale.containsKey(key))
        .map(load.failed::get)
        .findFirst()
        .orElseThrow();
  }

  /** Ends with a failed load, unless its keys have other answers or fail individually. */
  private void failed(LoaderCall<K, V> load, List<K> keys, Throwable why) {
    synchronized (this) {
      if (ended) {
        return;
      }
      List<K> others = takeFound(load, keys, load.isLate());
      boolean answered = takeOld(others, load.stale, key -> load.failure(key, why));
      if (answered) {
        // Only now: until its keys have an answer, the request may time out for them too.
        arrived(load, keys);
        if (--waiting > 0) {
          return;
        }
      }
      setEnd(answered ? null : why);
    }
    ended();
  }

  /**
   * Takes the values that were found before the loader was called, although the load has failed or
   * is late; returns the other keys. Counts each key once. Guarded by this.
   *
   * @param late whether the other keys have waited for long
   */
  private List<K> takeFound(LoaderCall<K, V> load, List<K> keys, boolean late) {
    List<K> others = answer.takeFound(load, keys);
    answer.early(keys.size() - others.size());
    // Other failures say nothing about the time in which the backend answers; they often come at
    // once.
    if (late && load.hasBegun()) {
      answer.asked(others.size());
    }
    return others;
  }

  /**
   * Answers keys with old values; the others fail if each key may. Guarded by this.
   *
   * @return whether that is enough for these keys
   */
  private boolean takeOld(List<K> keys, Map<K, V> stale, Function<K, Throwable> why) {
    List<K> old = keys.stream().filter(stale::containsKey).toList();
    if (!answer.isOfEach() && old.size() < keys.size()) {
      return false;
    }
    answer.takeStale(old, stale);
    backend.counters().staleAnswers.add(old.size());
    answer.fail(keys, why);
    return true;
  }

  /** Guarded by this. */
  private void arrived(LoaderCall<K, V> load, List<K> keys) {
    answer.arrived(keys.size());
    if (!underWay.isEmpty()) {
      underWay.remove(load);
    }
  }

  /** The request has timed out: answers with available values, however old. */
  void late(Throwable why) {
    try {
      // Outside the lock. In the meantime, any of these keys may get an answer.
      Map<K, V> stale = backend.loads().staleHere(keysUnderWay());
      synchronized (this) {
        if (!setEnd(endOfLate(stale, why))) {
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

  /** Takes what there is at a time-out; returns the failure, or null. Guarded by this. */
  private Throwable endOfLate(Map<K, V> stale, Throwable why) {
    if (ended) {
      return why;
    }
    if (underWay.isEmpty()) {
      answer.allAsked();
      return why;
    }
    List<K> others = new ArrayList<>();
    underWay.forEach((load, keys) -> others.addAll(takeFound(load, keys, true)));
    return takeOld(others, stale, key -> why) ? null : why;
  }

  /** Whether its end runs callbacks of the application or of a derived future. */
  boolean hasCallbacks() {
    return answer.getNumberOfDependents() > 0;
  }

  /** Takes the values of one load; returns whether this was the last and has set the end. */
  private synchronized boolean take(LoaderCall<K, V> load, List<K> keys, Map<K, V> values) {
    if (ended) {
      return false;
    }
    arrived(load, keys);
    answer.take(keys, values);
    int early = load.countFound(keys);
    answer.early(early);
    answer.asked(keys.size() - early);
    return --waiting == 0 && setEnd(null);
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
    followed = context;
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
      caller = followed;
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
   * @param caller the context in which its callbacks run; null: the cache carries none
   */
  private void settle(QueryContext caller) {
    if (caller == null) {
      answer.settle();
      return;
    }
    try {
      notifyEnd();
      caller.complete(answer);
    } finally {
      // Its context could not be applied, for example because the stack is full.
      if (!answer.isDone()) {
        answer.settle();
      }
    }
  }

  /** Reports its end to the trace. */
  private void notifyEnd() {
    QueryContext following;
    Set<LoaderCall<K, V>> waited;
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
