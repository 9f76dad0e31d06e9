/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/**
 * Measures the memory of an entry, without the store's overhead. Thread-safe. It must not block and
 * must not use the cache: loads, misses and invalidations of the same key, and of some others of
 * its backend, wait for it.
 */
@FunctionalInterface
public interface Sizer<K, V> {
  /** Bytes of key and value, at least 0. It must not change while the entry is in a store. */
  long bytes(K key, V value);

  /**
   * The size plus an overhead; {@code Long.MAX_VALUE} if the sum overflows.
   *
   * @throws IllegalArgumentException if the size is negative
   */
  default long bytes(K key, V value, long more) {
    long bytes = bytes(key, value);
    if (bytes < 0) {
      throw new IllegalArgumentException("the sizer returned " + bytes + " bytes");
    }
    return bytes > Long.MAX_VALUE - more ? Long.MAX_VALUE : bytes + more;
  }
}
