/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.time.Duration;

/**
 * Determines the time to live of single entries. Thread-safe. It must not block and must not use
 * the cache: loads, misses and invalidations of the same key, and of some others of its backend,
 * wait for it.
 */
@FunctionalInterface
public interface Expiry<K, V> {
  /**
   * Returns how long this value is valid.
   *
   * @return null: as in the backend's settings; zero: not cached; a hundred years or more: never
   *     expires. If it throws, the value is not cached
   */
  Duration timeToLive(K key, V value);
}
