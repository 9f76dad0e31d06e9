/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Tracks which timed-out load may still answer a key: the last one. Thread-safe. */
final class LateLoads<K> {
  /**
   * Represents a load that has timed out. The load itself refers to its values and to the context
   * of its request, which must not be kept here after its end.
   */
  static final class Token {}

  /* Loads of a backend that hangs for ever must be dropped at some point; a late answer is then
   * not cached. */
  private static final int MOST = 10_000;

  private final Cache<K, Token> late =
      Caffeine.newBuilder().executor(Runnable::run).maximumSize(MOST).build();
  // Most backends never time out; their loads then skip the look-up.
  private volatile boolean any;

  void add(K key, Token load) {
    late.put(key, load);
    any = true;
  }

  /**
   * Whether a load may answer a key; at most once.
   *
   * @param load null: no load may answer it
   */
  boolean take(K key, Token load) {
    return load != null && late.asMap().remove(key, load);
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

  /** Number of keys that may still be answered. */
  int size() {
    return late.asMap().size();
  }
}
