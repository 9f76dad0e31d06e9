/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.level.LevelLookUp;
import dev.manx.client.measure.MeasuredStore;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Tracks which load of one backend may put which key into the store. Thread-safe.
 *
 * <p>A value is stored only while its load owns the key. An invalidation or a put takes the key
 * away, so that an earlier answer cannot restore the old value. An answer that arrives after its
 * load timed out is stored too, unless a newer load has answered the key or the key was taken away.
 * A value's age counts from its load.
 */
final class Owners<K, V> {
  private final Store<K, V> store;
  private final LocalStore<K, V> local;
  private final LocalStore<K, V> unasked;
  private final TimedStore<K, V> aging;
  private final RemoteWrites<K, V> remote;
  private final NegativeCache<K> negative;
  private final BackendCounters counters;
  private final ConcurrentHashMap<K, LoaderCall<K, V>> inFlight = new ConcurrentHashMap<>();
  private final LateLoads<K> late = new LateLoads<>();
  private final Set<LoaderCall<K, V>> answeringLate = ConcurrentHashMap.newKeySet();

  /**
   * @param remote sends to a remote store; null if the store is in this process
   */
  Owners(
      Store<K, V> store,
      RemoteWrites<K, V> remote,
      NegativeCache<K> negative,
      BackendCounters counters) {
    this.remote = remote;
    this.store = store;
    this.local = store instanceof LocalStore<K, V> here ? here : null;
    this.unasked = local == null ? null : MeasuredStore.unaskedLocal(local);
    this.aging = store instanceof TimedStore<K, V> timed ? timed : null;
    this.negative = negative;
    this.counters = counters;
  }

  int keysInFlight() {
    return inFlight.size();
  }

  /** Makes a load the owner of a key without an owner; else returns the owner. */
  LoaderCall<K, V> claim(K key, LoaderCall<K, V> load) {
    LoaderCall<K, V> owner = inFlight.putIfAbsent(key, load);
    boolean isOver = owner != null && owner.released && inFlight.replace(key, owner, load);
    return isOver ? null : owner;
  }

  /** A load has timed out: its keys are free, and its answer may still arrive. */
  void late(LoaderCall<K, V> load) {
    if (load.cached) {
      LateLoads.Token token = new LateLoads.Token();
      load.late = token;
      try {
        load.keys.forEach(key -> late(key, load, token));
      } catch (Throwable e) {
        // A key whose hashCode fails by now: a late answer is not stored.
        counters.lookUpFailures.increment();
      }
      if (load.over) {
        // The load failed in the meantime.
        noLateAnswer(load);
      }
    }
    release(load);
  }

  private void late(K key, LoaderCall<K, V> load, LateLoads.Token token) {
    inFlight.compute(
        key,
        (k, owner) -> {
          if (owner == load) {
            late.add(k, token);
            return null;
          }
          return owner;
        });
  }

  /** A load that has timed out, or times out now, will not get another answer. */
  void noLateAnswer(LoaderCall<K, V> load) {
    // In this order: if its time-out misses this, its token is there.
    load.over = true;
    LateLoads.Token token = load.late;
    if (token == null) {
      return;
    }
    for (K key : load.keys) {
      try {
        late.take(key, token);
      } catch (Throwable e) {
        // A key whose hashCode fails by now: it stays until too many others are late.
        counters.lookUpFailures.increment();
      }
    }
  }

  /** Number of keys that timed-out loads may still answer. */
  int keysLate() {
    return late.size();
  }

  /**
   * Stores the values of keys that the load still owns.
   *
   * @param inTime whether the load has not timed out
   * @return whether its keys are now free; else the caller must release them
   */
  boolean keep(LoaderCall<K, V> load, Map<K, V> found, boolean inTime) {
    if (local == null) {
      remote.keep(load, gone -> own(load, found, inTime, gone));
      return false;
    }
    own(load, found, inTime, List.of());
    return load.already().isEmpty();
  }

  /**
   * Stores values here that the load still owns; values of a remote store are yet to be sent.
   *
   * @param gone receives the keys that a remote store may still have
   */
  private Map<K, V> own(LoaderCall<K, V> load, Map<K, V> found, boolean inTime, List<K> gone) {
    if (inTime) {
      return ownAll(load, found, true, gone);
    }
    answeringLate.add(load);
    try {
      return ownAll(load, found, false, gone);
    } finally {
      answeringLate.remove(load);
    }
  }

  private Map<K, V> ownAll(LoaderCall<K, V> load, Map<K, V> found, boolean inTime, List<K> gone) {
    Map<K, V> owned = local == null ? new HashMap<>() : Map.of();
    for (K key : load.keys) {
      V value = found.get(key);
      inFlight.compute(
          key,
          (k, owner) -> {
            // Under the map's lock for this key, so that an invalidation comes before or after.
            if (owns(load, key, owner, inTime)) {
              if (value == null && !load.failed.containsKey(key)) {
                negative.add(key);
                gone(key, load, gone);
              } else if (value != null) {
                // A late answer of an older load may have reported the key as absent.
                negative.remove(key);
                keep(key, value, load, owned);
              }
            }
            return local != null && owner == load ? null : owner;
          });
    }
    return owned;
  }

  private void keep(K key, V value, LoaderCall<K, V> load, Map<K, V> owned) {
    if (local != null) {
      putHere(key, value, load.begunNanos(), !load.again);
    } else {
      owned.put(key, value);
    }
  }

  private boolean owns(LoaderCall<K, V> load, K key, LoaderCall<K, V> owner, boolean inTime) {
    if (!inTime) {
      // A newer load in progress will overwrite it; in a remote store the order of the two puts
      // is unknown.
      return late.take(key, load.late) && (local != null || owner == null);
    }
    if (owner == load) {
      late.forget(key);
    }
    return owner == load;
  }

  /** Removes a key that the backend no longer has and the store may still have. */
  private void gone(K key, LoaderCall<K, V> load, List<K> there) {
    if (local != null) {
      // An expired entry, or a late answer of an older load.
      local.invalidate(key);
    } else if (aging != null && (load.again || aging.answersExpired())) {
      // Otherwise there is no entry, or one that is never answered again.
      there.add(key);
    }
  }

  /**
   * Stores one value. If it has no size it is skipped; the others of its batch are stored.
   *
   * @param since when its times begin
   * @param asked whether a query waits for it
   */
  private void putHere(K key, V value, long since, boolean asked) {
    try {
      if (local instanceof LocalTimedStore<K, V> timed) {
        timed.put(key, value, since, asked);
      } else {
        (asked ? local : unasked).put(key, value);
      }
    } catch (Throwable e) {
      counters.notKept(1, e);
      local.invalidate(key);
    }
  }

  private long now() {
    return aging == null ? 0 : aging.nanoTime();
  }

  /** Stores the second level's values that the load still owns; their keys are then free. */
  void keepBelow(LoaderCall<K, V> load, Map<K, LevelLookUp.Found<V>> found) {
    long now = now();
    found.forEach(
        (key, there) ->
            inFlight.computeIfPresent(
                key,
                (k, owner) -> {
                  if (owner == load) {
                    late.forget(k);
                    negative.remove(k);
                    putHere(
                        k,
                        there.value(),
                        now - TimeUnit.MILLISECONDS.toNanos(there.ageMillis()),
                        !load.again);
                    return null;
                  }
                  return owner;
                }));
  }

  /** Releases the keys of an ended load. */
  void release(LoaderCall<K, V> load) {
    load.keys.forEach(key -> release(key, load));
    load.already().keySet().forEach(key -> release(key, load));
    load.released = true;
  }

  private void release(K key, LoaderCall<K, V> load) {
    try {
      inFlight.remove(key, load);
    } catch (Throwable e) {
      // A key whose hashCode fails by now: queries of the other keys wait for this load.
      counters.lookUpFailures.increment();
    }
  }

  /** Removes keys here and in the store; loads in progress do not restore them. */
  CompletionStage<Void> invalidate(List<? extends K> keys) {
    for (K key : keys) {
      disown(key);
      negative.remove(key);
    }
    if (local != null) {
      CompletionStage<Void> forgotten = store.invalidateAll(keys);
      // A load that began meanwhile may have found the old value; no query may join it now.
      keys.forEach(this::disown);
      return forgotten;
    }
    return remote.invalidate(keys);
  }

  /** Stores values that the application knows; loads in progress do not overwrite them. */
  CompletionStage<Void> put(Map<K, V> values) {
    if (local != null) {
      values.forEach(
          (key, value) ->
              inFlight.compute(
                  key,
                  (k, owner) -> {
                    late.forget(k);
                    putHere(k, value, now(), false);
                    return null;
                  }));
    } else {
      values.keySet().forEach(this::disown);
    }
    // Only now: a load that still owned the key may have recorded it as absent.
    values.keySet().forEach(negative::remove);
    return local != null ? CompletableFuture.completedFuture(null) : remote.put(values);
  }

  /** Removes all keys. */
  CompletionStage<Void> invalidateAll() {
    // In this order: a key that times out meanwhile is in the second map.
    disownAll(inFlight.keySet());
    late.forgetAll();
    // An iteration does not show a key that no load owns while its late answer is being stored.
    answeringLate.forEach(load -> disownAll(load.keys));
    negative.clear();
    if (local == null) {
      return remote.invalidateAll();
    }
    CompletionStage<Void> cleared = store.clear();
    // A load that began meanwhile may have found an old value.
    disownAll(inFlight.keySet());
    return cleared;
  }

  private void disownAll(Iterable<K> keys) {
    for (K key : keys) {
      try {
        disown(key);
      } catch (Throwable e) {
        // A key whose hashCode fails by now: the others, and the store, must still be emptied.
        counters.lookUpFailures.increment();
      }
    }
  }

  /**
   * Prevents loads in progress from storing the key. Waits for a load that is storing it, so that
   * its value can be removed afterwards.
   */
  private void disown(K key) {
    inFlight.compute(
        key,
        (k, owner) -> {
          late.forget(k);
          return null;
        });
  }
}
