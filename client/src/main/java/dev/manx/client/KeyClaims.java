/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.store.LocalStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the load that answers a key: one in progress, or else a new one, which then owns the key.
 * Thread-safe.
 *
 * <p>A new load first claims a key, then looks for it in the store of this process, in two separate
 * steps, neither inside the other. Only in this order does it suffice that an invalidation disowns
 * its keys once more after it has removed them from the store: a load that has found an old value
 * owned the key before, so no later query joins it.
 */
final class KeyClaims<K, V> {
  private final Owners<K, V> owners;
  private final LocalStore<K, V> local;
  private final BackendCounters counters;

  /**
   * @param local null for a remote store, in which loads do not look
   */
  KeyClaims(Owners<K, V> owners, LocalStore<K, V> local, BackendCounters counters) {
    this.owners = owners;
    this.local = local;
    this.counters = counters;
  }

  /**
   * Finds the loads of missing keys. May throw after some keys are claimed: the caller must start
   * its load in every case, because other queries may already wait for it.
   *
   * @param mine receives the keys that no other load answers
   * @return the keys of each load that answers one of these keys
   */
  Map<LoaderCall<K, V>, List<K>> loadsOf(List<K> missing, LoaderCall<K, V> mine) {
    Map<LoaderCall<K, V>, List<K>> others = Map.of();
    for (K key : missing) {
      LoaderCall<K, V> other = loadOf(key, mine);
      if (other != mine) {
        others = others.isEmpty() ? new LinkedHashMap<>() : others;
        others.computeIfAbsent(other, load -> new ArrayList<>()).add(key);
      }
    }
    if (others.isEmpty()) {
      // The common case.
      return Map.of(mine, missing);
    }
    if (!mine.isEmpty()) {
      List<K> own = new ArrayList<>(mine.keys);
      own.addAll(mine.already().keySet());
      others.put(mine, own);
    }
    return others;
  }

  private LoaderCall<K, V> loadOf(K key, LoaderCall<K, V> mine) {
    LoaderCall<K, V> other = owners.claim(key, mine);
    while (other != null && other != mine && !joins(other)) {
      other = owners.claim(key, mine);
    }
    if (other != null && other != mine) {
      counters.coalesced.increment();
      return other;
    }
    mine.keys.add(key);
    // A load that ended since the look-up may have stored the value.
    V here = lookAgain(key);
    if (here != null) {
      // In this order: if the key's hashCode fails, the key remains one to load.
      mine.already(key, here);
      mine.keys.remove(mine.keys.size() - 1);
    }
    return mine;
  }

  /**
   * Whether a load will answer a query that joins it now. A failed refresh asks a remote store for
   * expired values only if a query has joined it before it has released its keys.
   */
  private boolean joins(LoaderCall<K, V> other) {
    if (local != null || !other.again) {
      return true;
    }
    if (!other.joined) {
      other.joined = true;
    }
    // In this order, opposite to that of the refresh: one of the two sees the other.
    return !other.released;
  }

  private V lookAgain(K key) {
    try {
      return local == null ? null : local.get(key);
    } catch (Throwable e) {
      counters.lookUpFailures.increment();
      return null;
    }
  }

  /** Gives a refresh the keys that no load answers. */
  void takeFree(List<K> keys, LoaderCall<K, V> refresh) {
    for (K key : keys) {
      try {
        if (owners.claim(key, refresh) == null) {
          refresh.keys.add(key);
        }
      } catch (Throwable e) {
        // A key's equals or hashCode failed. Queries may wait for the others.
        counters.lookUpFailures.increment();
      }
    }
  }
}
