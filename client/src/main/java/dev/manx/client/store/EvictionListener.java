/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/** Receives the entries that a store evicts. */
@FunctionalInterface
public interface EvictionListener<K> {
  /**
   * An entry was evicted for lack of space; not because it was invalidated, replaced, expired, or
   * the store was closed. Called by the thread that needed the space, with locks of the store held:
   * it must not wait, call the store or throw.
   *
   * @param bytes size of the entry, including the store's overhead
   */
  void evicted(K key, long bytes);
}
