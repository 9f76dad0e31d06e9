/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.Store;
import dev.manx.client.timer.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The loads of one backend under way. Of several queries that miss the same key at once, one loads
 * it and the others wait for that load.
 *
 * <p>A key is kept in the store only while its load still owns it: an invalidation takes the key
 * away, so that an answer read before it cannot bring the old value back.
 *
 * <p>An answer that comes after its load timed out is kept too, unless meanwhile a newer load
 * answered the key or it was invalidated.
 */
final class Loads<K, V> {
  /* Keys whose loads timed out and may still answer. Those of a backend that hangs for ever must go
   * some time; then a late answer is not kept. */
  private static final int MOST_LATE = 10_000;

  private final String backend;
  private final Loader<K, V> loader;
  private final Store<K, V> store;
  private final LocalStore<K, V> local;
  private final NegativeCache<K> negative;
  private final BackendCounters counters;
  private final Timer timer;
  private final Breaker breaker;
  private final TimedStore<K, V> timed;
  private final long timeOutNanos;
  private final ConcurrentHashMap<K, Load<K, V>> inFlight = new ConcurrentHashMap<>();
  // Most backends never time out, and then no load pays for looking.
  private volatile boolean anyLate;
  private final Puts<K> puts = new Puts<>();
  private final Cache<K, Load<K, V>> late =
      Caffeine.newBuilder().executor(Runnable::run).maximumSize(MOST_LATE).build();

  Loads(
      String backend,
      Loader<K, V> loader,
      Duration timeOut,
      Store<K, V> store,
      NegativeCache<K> negative,
      BackendCounters counters,
      Breaker breaker,
      Timer timer) {
    this.backend = backend;
    this.loader = loader;
    this.store = store;
    this.local = store instanceof LocalStore<K, V> here ? here : null;
    this.negative = negative;
    this.counters = counters;
    this.timer = timer;
    this.breaker = breaker;
    this.timed = store instanceof TimedStore<K, V> aging ? aging : null;
    this.timeOutNanos = timeOut.toNanos();
  }

  /** Keys under way. */
  int keysInFlight() {
    return inFlight.size();
  }

  /** Gets keys loaded, each by a load of this call or one under way: the keys of each load. */
  Map<Load<K, V>, List<K>> load(Collection<K> missing) {
    Load<K, V> mine = new Load<>(true);
    Map<Load<K, V>, List<K>> waits = new LinkedHashMap<>();
    try {
      for (K key : missing) {
        claim(key, mine, waits);
      }
    } catch (Throwable e) {
      // A key's equals or hashCode failed: others may wait for what was claimed already.
      ended(mine, null, e);
      throw e;
    }
    if (waits.containsKey(mine)) {
      start(mine);
    }
    return waits;
  }

  private void claim(K key, Load<K, V> mine, Map<Load<K, V>, List<K>> waits) {
    Load<K, V> other = inFlight.putIfAbsent(key, mine);
    Load<K, V> by = other == null ? mine : other;
    waits.computeIfAbsent(by, load -> new ArrayList<>()).add(key);
    if (by != mine) {
      counters.coalesced.increment();
      return;
    }
    mine.keys.add(key);
    // A load that ended since the look-up may have left the value in the store.
    V here = lookAgain(key);
    if (here != null) {
      mine.keys.remove(mine.keys.size() - 1);
      mine.already.put(key, here);
    }
  }

  private V lookAgain(K key) {
    try {
      return local == null ? null : local.get(key);
    } catch (RuntimeException e) {
      counters.lookUpFailures.increment();
      return null;
    }
  }

  /** Loads past cache and coalescing. */
  Load<K, V> loadUncached(Collection<K> keys) {
    Load<K, V> load = new Load<>(false);
    load.keys.addAll(keys);
    start(load);
    return load;
  }

  /** Reads keys again that the store has; not those that are being read. */
  void refresh(List<K> keys, Runnable then) {
    Load<K, V> load = new Load<>(true);
    load.whenAnswered((values, error) -> then.run());
    for (K key : keys) {
      if (inFlight.putIfAbsent(key, load) == null) {
        load.keys.add(key);
      }
    }
    counters.refreshes.add(load.keys.size());
    start(load);
  }

  private void start(Load<K, V> load) {
    if (load.keys.isEmpty()) {
      ended(load, Map.of(), null);
      return;
    }
    load.permit = breaker.permit();
    if (load.permit == Breaker.Permit.NO) {
      ended(load, null, new BreakerOpenException(backend));
      return;
    }
    CompletionStage<? extends Map<K, V>> stage;
    try {
      // Before the loader is called: one that blocks its caller must not hold up who joins the
      // load.
      load.endsBy(timer.after(timeOutNanos, () -> expired(load)));
      stage = loader.loadAll(Collections.unmodifiableList(load.keys));
      if (stage == null) {
        throw new IllegalStateException(nothing());
      }
      stage.whenComplete((values, error) -> ended(load, values, error));
    } catch (Throwable e) {
      ended(load, null, e);
    }
  }

  private void expired(Load<K, V> load) {
    if (load.end()) {
      if (load.cached) {
        load.keys.forEach(key -> beLate(key, load));
      }
      release(load);
      counters.timeOuts.increment();
      breaker.ended(load.permit, false);
      fail(
          load,
          new TimeoutException(
              "backend "
                  + backend
                  + " did not answer within "
                  + TimeUnit.NANOSECONDS.toMillis(timeOutNanos)
                  + " ms"));
    }
  }

  private void beLate(K key, Load<K, V> load) {
    inFlight.compute(
        key,
        (k, owner) -> {
          if (owner == load) {
            late.put(k, load);
            anyLate = true;
            return null;
          }
          return owner;
        });
  }

  private void ended(Load<K, V> load, Map<K, V> values, Throwable error) {
    Map<K, V> found = null;
    Throwable failure = error instanceof CompletionException e ? e.getCause() : error;
    if (failure == null) {
      try {
        found = pick(load, values);
      } catch (Throwable e) {
        failure = e;
      }
    }
    boolean first = load.end();
    if (found != null) {
      try {
        keep(load, found, first);
      } catch (Throwable e) {
        // The values are answered all the same: queries wait for this load.
        counters.notKept.add(found.size());
      }
    }
    if (!first) {
      return;
    }
    release(load);
    if (load.permit == Breaker.Permit.NO) {
      counters.broken.increment();
    } else {
      counters.failures.add(found == null ? 1 : 0);
    }
    if (load.permit != null) {
      breaker.ended(load.permit, found != null);
    }
    if (found == null) {
      fail(load, failure);
    } else {
      load.answered(found);
    }
  }

  /** Fails a load, with expired values for who can do with them. */
  private void fail(Load<K, V> load, Throwable failure) {
    if (timed == null || !load.cached || load.keys.isEmpty()) {
      load.failed(failure);
      return;
    }
    try {
      CompletionStage<Map<K, V>> stale = timer.within(timeOutNanos, timed.stale(load.keys), null);
      stale.whenComplete(
          (values, error) -> {
            load.stale = values == null ? Map.of() : values;
            load.failed(failure);
          });
    } catch (RuntimeException e) {
      load.failed(failure);
    }
  }

  /** What was asked for and is there. */
  private Map<K, V> pick(Load<K, V> load, Map<K, V> values) {
    if (values == null) {
      throw new IllegalStateException(nothing());
    }
    Map<K, V> found = new HashMap<>(load.already);
    for (K key : load.keys) {
      V value = values.get(key);
      if (value != null) {
        found.put(key, value);
      }
    }
    return found;
  }

  private void keep(Load<K, V> load, Map<K, V> found, boolean inTime) {
    if (!load.cached) {
      return;
    }
    if (local != null) {
      own(load, found, inTime);
      return;
    }
    // Values of the same keys that are on their way arrive first.
    CompletableFuture<Void> earlier = puts.end(load.keys);
    // Begins before a key is looked at: an invalidation either takes the key away first, or waits.
    Puts.Put<K> put = puts.begin(load.keys);
    CompletionStage<?> sent = CompletableFuture.completedFuture(null);
    try {
      Map<K, V> remote = own(load, found, inTime);
      if (!remote.isEmpty()) {
        sent = earlier.isDone() ? send(remote) : earlier.thenCompose(done -> send(remote));
      }
    } finally {
      sent.whenComplete((done, error) -> put.end());
    }
  }

  /** Keeps here what this load still owns; what it owns of a remote store is yet to be sent. */
  private Map<K, V> own(Load<K, V> load, Map<K, V> found, boolean inTime) {
    Map<K, V> remote = new HashMap<>();
    for (K key : load.keys) {
      V value = found.get(key);
      inFlight.compute(
          key,
          (k, owner) -> {
            // In the map's lock for this key, so that an invalidation comes before or after.
            if (owns(load, key, owner, inTime)) {
              if (value == null) {
                negative.add(key);
                gone(key);
              } else if (local != null) {
                putHere(key, value);
              } else {
                remote.put(key, value);
              }
            }
            return local != null && owner == load ? null : owner;
          });
    }
    return remote;
  }

  private boolean owns(Load<K, V> load, K key, Load<K, V> owner, boolean inTime) {
    if (!inTime) {
      // A newer load under way will overwrite it; elsewhere the order of the two puts is not known.
      return late.asMap().remove(key, load) && (local != null || owner == null);
    }
    if (owner == load) {
      forgetLate(key);
    }
    return owner == load;
  }

  /** The backend no longer has a key that the store may still have. */
  private void gone(K key) {
    if (timed != null && local != null) {
      local.invalidate(key);
    } else if (timed != null) {
      CompletionStage<?> unused = store.invalidateAll(List.of(key));
    }
  }

  /** One value without a size is not kept; the others of its batch are. */
  private void putHere(K key, V value) {
    try {
      local.put(key, value);
    } catch (RuntimeException e) {
      counters.notKept.increment();
      local.invalidate(key);
    }
  }

  /** A store bounds its own waiting; this holds even if it does not keep that promise. */
  private CompletionStage<?> send(Map<K, V> values) {
    try {
      return timer.within(timeOutNanos, store.putAll(values).handle((done, error) -> null), null);
    } catch (RuntimeException e) {
      counters.notKept.add(values.size());
      return CompletableFuture.completedFuture(null);
    }
  }

  private void release(Load<K, V> load) {
    load.keys.forEach(key -> release(key, load));
    load.already.keySet().forEach(key -> release(key, load));
  }

  private void release(K key, Load<K, V> load) {
    try {
      inFlight.remove(key, load);
    } catch (RuntimeException e) {
      // A key whose hashCode fails by now: queries of the other keys wait for this load.
      counters.lookUpFailures.increment();
    }
  }

  /** Forgets keys here and in the store; loads under way no longer bring them back. */
  CompletionStage<Void> invalidate(List<? extends K> keys) {
    for (K key : keys) {
      disown(key);
      negative.remove(key);
    }
    if (local != null) {
      CompletionStage<Void> forgotten = store.invalidateAll(keys);
      // A load that began meanwhile may have found the old value there; nobody is to join it now.
      keys.forEach(this::disown);
      return forgotten;
    }
    CompletableFuture<Void> overtaken = puts.end(keys);
    if (overtaken.isDone()) {
      return store.invalidateAll(keys);
    }
    return overtaken.thenCompose(done -> store.invalidateAll(keys));
  }

  /** Keeps values that the application knows; loads under way do not overwrite them. */
  CompletionStage<Void> put(Map<K, V> values) {
    values.keySet().forEach(negative::remove);
    if (local != null) {
      values.forEach(
          (key, value) ->
              inFlight.compute(
                  key,
                  (k, owner) -> {
                    forgetLate(k);
                    putHere(k, value);
                    return null;
                  }));
      return CompletableFuture.completedFuture(null);
    }
    values.keySet().forEach(this::disown);
    CompletableFuture<Void> earlier = puts.end(values.keySet());
    Puts.Put<K> put = puts.begin(values.keySet());
    CompletionStage<?> sent = earlier.thenCompose(done -> send(values));
    return sent.handle(
        (done, error) -> {
          put.end();
          return null;
        });
  }

  /** Forgets all keys. */
  CompletionStage<Void> invalidateAll() {
    inFlight.keySet().forEach(this::disown);
    late.invalidateAll();
    negative.clear();
    CompletionStage<Void> cleared = store.clear();
    // A load that began meanwhile may have found an old value there.
    inFlight.keySet().forEach(this::disown);
    return cleared;
  }

  private void forgetLate(K key) {
    if (anyLate) {
      late.invalidate(key);
    }
  }

  /** What is being read of a key is not kept. */
  private void disown(K key) {
    inFlight.compute(
        key,
        (k, owner) -> {
          forgetLate(k);
          return null;
        });
  }

  private String nothing() {
    return "the loader of backend " + backend + " answered null instead of a map";
  }
}
