/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/** How much memory an entry takes, without the store's own overhead. Any thread may call it. */
@FunctionalInterface
public interface Sizer<K, V> {
  /** Bytes of key and value, at least 0. It must not change while the entry is in a store. */
  long bytes(K key, V value);
}
