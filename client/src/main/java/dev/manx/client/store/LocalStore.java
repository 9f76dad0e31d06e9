/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store in this process: a look-up is a method call, without a future and without allocation.
 *
 * <p>The cache calls {@link #get} for a local store and {@link #getAll} for a remote one.
 */
public interface LocalStore<K, V> extends Store<K, V> {
  /** The value, or null if it is not stored. */
  V get(K key);

  /** Stores a value, unless it is too large for the share. */
  void put(K key, V value);

  /** Removes a key. */
  void invalidate(K key);

  @Override
  default CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
    Map<K, V> found = new HashMap<>();
    for (K key : keys) {
      V value = get(key);
      if (value != null) {
        found.put(key, value);
      }
    }
    return CompletableFuture.completedFuture(found);
  }

  @Override
  default CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
    entries.forEach(this::put);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  default CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
    keys.forEach(this::invalidate);
    return CompletableFuture.completedFuture(null);
  }
}
