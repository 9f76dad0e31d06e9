/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/** Receives the entries that a store evicts. */
@FunctionalInterface
public interface EvictionListener<K> {
  /**
   * An entry was evicted for want of space; not because it was invalidated, replaced or too old,
   * nor because the store was closed. Called by the thread that needed the space, with locks of the
   * store held: it does not wait, does not call the store and does not throw.
   *
   * @param bytes that it occupied, the store's overhead included
   */
  void evicted(K key, long bytes);
}
