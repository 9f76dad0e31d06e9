/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Tracks which timed-out load may still answer a key: the last one. Thread-safe. */
final class LateLoads<K, V> {
  /* Loads of a backend that hangs for ever must be dropped at some point; a late answer is then
   * not cached. */
  private static final int MOST = 10_000;

  private final Cache<K, LoaderCall<K, V>> late =
      Caffeine.newBuilder().executor(Runnable::run).maximumSize(MOST).build();
  // Most backends never time out; their loads then skip the look-up.
  private volatile boolean any;

  void add(K key, LoaderCall<K, V> load) {
    late.put(key, load);
    any = true;
  }

  /** Whether a load may answer a key; at most once. */
  boolean take(K key, LoaderCall<K, V> load) {
    return late.asMap().remove(key, load);
  }

  /** Rejects late answers for the key. */
  void forget(K key) {
    if (any) {
      late.invalidate(key);
    }
  }

  void forgetAll() {
    late.invalidateAll();
  }
}
