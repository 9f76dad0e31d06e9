/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.measure;

import dev.manx.shares.ShadowQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the keys most recently evicted from a live share: a {@link ShadowQueue} for keys of any
 * type and any number of threads. Exceptions of the application's keys end here. A key costs some
 * 90 bytes in addition to itself, less than the charge for its entry, so the queue takes at most
 * the bytes that it represents.
 */
final class ShadowKeys<K> {
  /* Most misses are of keys that are not here; this is detected without the lock. */
  private final Map<K, Integer> slots = new ConcurrentHashMap<>();

  // Guarded by this.
  private final List<K> keys = new ArrayList<>();
  private final List<Integer> unused = new ArrayList<>();
  private ShadowQueue queue;

  private final long limitBytes;

  /**
   * @param bytes total size of the entries whose keys it remembers
   */
  ShadowKeys(long bytes) {
    limitBytes = bytes;
    clear();
  }

  /** Removes all keys. */
  synchronized void clear() {
    // Not one by one: the hashCode of a key may fail.
    queue = new ShadowQueue(16, limitBytes, this::free);
    keys.clear();
    unused.clear();
    slots.clear();
  }

  /** An entry was evicted from the share. */
  synchronized void evicted(K key, long bytes) {
    try {
      Integer known = slots.get(key);
      int slot = known == null ? take(key) : known;
      if (!queue.evicted(slot, (int) Math.min(Integer.MAX_VALUE, bytes))) {
        free(slot);
      }
    } catch (Throwable e) {
      // A key whose hashCode fails now is treated like a key that was never here.
    }
  }

  private int take(K key) {
    int slot = unused.isEmpty() ? keys.size() : unused.remove(unused.size() - 1);
    slots.put(key, slot);
    if (slot == keys.size()) {
      keys.add(key);
    } else {
      keys.set(slot, key);
    }
    return slot;
  }

  private void free(int slot) {
    slots.remove(keys.set(slot, null));
    unused.add(slot);
  }

  /** Removes a key, because it is cached again or invalid; returns whether it was here. */
  boolean remove(K key) {
    try {
      return slots.containsKey(key) && removeKnown(key);
    } catch (Throwable e) {
      return false;
    }
  }

  private synchronized boolean removeKnown(K key) {
    Integer slot = slots.get(key);
    if (slot == null) {
      return false;
    }
    queue.missed(slot);
    free(slot);
    return true;
  }

  /** Number of keys here. */
  int size() {
    return slots.size();
  }

  /** Total size of the entries whose keys are here. */
  synchronized long bytes() {
    return queue.bytes();
  }
}
