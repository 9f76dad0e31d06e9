/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Which load that has timed out may still answer a key: the last one. Any thread. */
final class LateLoads<K, V> {
  /* Those of a backend that hangs for ever must go some time; then a late answer is not kept. */
  private static final int MOST = 10_000;

  private final Cache<K, Load<K, V>> late =
      Caffeine.newBuilder().executor(Runnable::run).maximumSize(MOST).build();
  // Most backends never time out, and then no load pays for looking.
  private volatile boolean any;

  void add(K key, Load<K, V> load) {
    late.put(key, load);
    any = true;
  }

  /** Whether a load may answer a key; not twice. */
  boolean take(K key, Load<K, V> load) {
    return late.asMap().remove(key, load);
  }

  /** A late answer for the key is not wanted any more. */
  void forget(K key) {
    if (any) {
      late.invalidate(key);
    }
  }

  void forgetAll() {
    late.invalidateAll();
  }
}
