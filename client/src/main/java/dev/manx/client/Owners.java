/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.level.LevelLookUp;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Which load of one backend may put which key into the store. Any thread.
 *
 * <p>A key is kept only while its load still owns it: an invalidation or a put takes the key away,
 * so that an answer read before it cannot bring the old value back. An answer that comes after its
 * load timed out is kept too, unless meanwhile a newer load answered the key or it was taken away.
 * A value is as old as its load.
 */
final class Owners<K, V> {
  private final Store<K, V> store;
  private final LocalStore<K, V> local;
  private final TimedStore<K, V> aging;
  private final RemoteWrites<K, V> remote;
  private final NegativeCache<K> negative;
  private final BackendCounters counters;
  private final ConcurrentHashMap<K, Load<K, V>> inFlight = new ConcurrentHashMap<>();
  private final LateLoads<K, V> late = new LateLoads<>();

  /**
   * @param remote what sends to a remote store; null if the store is in this process
   */
  Owners(
      Store<K, V> store,
      RemoteWrites<K, V> remote,
      NegativeCache<K> negative,
      BackendCounters counters) {
    this.remote = remote;
    this.store = store;
    this.local = store instanceof LocalStore<K, V> here ? here : null;
    this.aging = store instanceof TimedStore<K, V> timed ? timed : null;
    this.negative = negative;
    this.counters = counters;
  }

  int keysInFlight() {
    return inFlight.size();
  }

  /** Makes a load the owner of a key that has none; else the owner. */
  Load<K, V> claim(K key, Load<K, V> load) {
    return inFlight.putIfAbsent(key, load);
  }

  /** A load has timed out: its keys are free, and its answer may still come. */
  void late(Load<K, V> load) {
    if (load.cached) {
      try {
        load.keys.forEach(key -> late(key, load));
      } catch (Throwable e) {
        // A key whose hashCode fails by now: an answer that comes is not kept.
        counters.lookUpFailures.increment();
      }
    }
    release(load);
  }

  private void late(K key, Load<K, V> load) {
    inFlight.compute(
        key,
        (k, owner) -> {
          if (owner == load) {
            late.add(k, load);
            return null;
          }
          return owner;
        });
  }

  /**
   * Keeps an answer, as far as its load still owns the keys.
   *
   * @param inTime whether the load has not timed out
   * @return whether its keys are free now; else they are to be released
   */
  boolean keep(Load<K, V> load, Map<K, V> found, boolean inTime) {
    if (local == null) {
      remote.keep(load, gone -> own(load, found, inTime, gone));
      return false;
    }
    own(load, found, inTime, List.of());
    return load.already().isEmpty();
  }

  /**
   * Keeps here what this load still owns; what it owns of a remote store is yet to be sent.
   *
   * @param gone takes the keys that a remote store may still have
   */
  private Map<K, V> own(Load<K, V> load, Map<K, V> found, boolean inTime, List<K> gone) {
    Map<K, V> owned = local == null ? new HashMap<>() : Map.of();
    for (K key : load.keys) {
      V value = found.get(key);
      inFlight.compute(
          key,
          (k, owner) -> {
            // In the map's lock for this key, so that an invalidation comes before or after.
            if (owns(load, key, owner, inTime)) {
              if (value == null) {
                negative.add(key);
                gone(key, load, gone);
              } else if (local != null) {
                putHere(key, value, load.begunNanos());
              } else {
                owned.put(key, value);
              }
            }
            return local != null && owner == load ? null : owner;
          });
    }
    return owned;
  }

  private boolean owns(Load<K, V> load, K key, Load<K, V> owner, boolean inTime) {
    if (!inTime) {
      // A newer load under way will overwrite it; elsewhere the order of the two puts is not known.
      return late.take(key, load) && (local != null || owner == null);
    }
    if (owner == load) {
      late.forget(key);
    }
    return owner == load;
  }

  /** The backend no longer has a key that the store may still have. */
  private void gone(K key, Load<K, V> load, List<K> there) {
    if (aging == null) {
      return;
    }
    if (local != null) {
      local.invalidate(key);
    } else if (load.again || aging.answersExpired()) {
      // Else there is no entry, or one that never answers again.
      there.add(key);
    }
  }

  /**
   * One value without a size is not kept; the others of its batch are.
   *
   * @param since when its times begin
   */
  private void putHere(K key, V value, long since) {
    try {
      if (local instanceof LocalTimedStore<K, V> timed) {
        timed.put(key, value, since);
      } else {
        local.put(key, value);
      }
    } catch (Throwable e) {
      counters.notKept.increment();
      local.invalidate(key);
    }
  }

  private long now() {
    return aging == null ? 0 : aging.nanoTime();
  }

  /** Keeps what the second level had, as far as the load still owns it; its keys are then free. */
  void keepBelow(Load<K, V> load, Map<K, LevelLookUp.Found<V>> found) {
    long now = now();
    found.forEach(
        (key, there) ->
            inFlight.computeIfPresent(
                key,
                (k, owner) -> {
                  if (owner == load) {
                    late.forget(k);
                    putHere(
                        k, there.value(), now - TimeUnit.MILLISECONDS.toNanos(there.ageMillis()));
                    return null;
                  }
                  return owner;
                }));
  }

  /** A load has ended: its keys are free. */
  void release(Load<K, V> load) {
    load.keys.forEach(key -> release(key, load));
    load.already().keySet().forEach(key -> release(key, load));
  }

  private void release(K key, Load<K, V> load) {
    try {
      inFlight.remove(key, load);
    } catch (Throwable e) {
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
      // A load that began meanwhile may have found the old value there; no query may join it now.
      keys.forEach(this::disown);
      return forgotten;
    }
    return remote.invalidate(keys);
  }

  /** Keeps values that the application knows; loads under way do not overwrite them. */
  CompletionStage<Void> put(Map<K, V> values) {
    if (local != null) {
      values.forEach(
          (key, value) ->
              inFlight.compute(
                  key,
                  (k, owner) -> {
                    late.forget(k);
                    putHere(k, value, now());
                    return null;
                  }));
    } else {
      values.keySet().forEach(this::disown);
    }
    // Only now: a load that still had the key may have noted that it does not exist.
    values.keySet().forEach(negative::remove);
    return local != null ? CompletableFuture.completedFuture(null) : remote.put(values);
  }

  /** Forgets all keys. */
  CompletionStage<Void> invalidateAll() {
    inFlight.keySet().forEach(this::disown);
    late.forgetAll();
    negative.clear();
    if (local == null) {
      return remote.invalidateAll();
    }
    CompletionStage<Void> cleared = store.clear();
    // A load that began meanwhile may have found an old value there.
    inFlight.keySet().forEach(this::disown);
    return cleared;
  }

  /** What is being read of a key is not kept. */
  private void disown(K key) {
    inFlight.compute(
        key,
        (k, owner) -> {
          late.forget(k);
          return null;
        });
  }
}
