/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import java.util.Arrays;

/**
 * An LRU of whole values by key hash, bounded in bytes: open addressing over slots linked by age.
 * It knows which values are still being loaded, and by which read. Grows to the largest number of
 * values held at once. Confined to one thread.
 */
final class PageCache {
  /** The value is cached. */
  static final int CACHED = -1;

  /** The value is neither cached nor being loaded. */
  static final int ABSENT = -2;

  private static final int NONE = -1;

  private final long capacityBytes;
  private long usedBytes;
  private int size;
  private int newest = NONE;
  private int oldest = NONE;
  private long[] keys = new long[1 << 10];
  private int[] bytes = new int[1 << 10];

  /** The index of the read that loads the value, or {@link #CACHED}. */
  private int[] loaders = new int[1 << 10];

  private int[] newer = new int[1 << 10];
  private int[] older = new int[1 << 10];
  private int[] free = new int[1 << 10];
  private int freeCount;
  private int[] table = new int[1 << 11];

  PageCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
    for (int slot = keys.length - 1; slot >= 0; slot--) {
      free[freeCount++] = slot;
    }
    Arrays.fill(table, NONE);
  }

  /**
   * Reads a value; if it is absent, the reader loads it.
   *
   * @param reader index of the read, at least 0
   * @return {@link #CACHED}, {@link #ABSENT} or the index of the read that loads it
   */
  int read(long key, int valueBytes, int reader) {
    int at = find(key);
    if (table[at] != NONE) {
      int slot = table[at];
      unlink(slot);
      linkNewest(slot);
      return loaders[slot];
    }
    if (valueBytes > capacityBytes) {
      return ABSENT;
    }
    while (usedBytes + valueBytes > capacityBytes) {
      evict(oldest);
    }
    if (freeCount == 0) {
      grow();
    }
    // Evictions and growth move entries of the probe run.
    at = find(key);
    int slot = free[--freeCount];
    keys[slot] = key;
    bytes[slot] = valueBytes;
    loaders[slot] = reader;
    table[at] = slot;
    usedBytes += valueBytes;
    size++;
    linkNewest(slot);
    return ABSENT;
  }

  /**
   * Ends the loading of a value.
   *
   * @param isCached whether it was loaded completely
   */
  void ended(long key, int reader, boolean isCached) {
    int slot = table[find(key)];
    // The value may have been evicted meanwhile, and may be loaded by another read.
    if (slot == NONE || loaders[slot] != reader) {
      return;
    }
    if (isCached) {
      loaders[slot] = CACHED;
    } else {
      evict(slot);
    }
  }

  /**
   * Lets another read load a value; {@link #ended} then expects the other read.
   *
   * @return whether the first reader was loading it
   */
  boolean handOn(long key, int reader, int other) {
    int slot = table[find(key)];
    if (slot == NONE || loaders[slot] != reader) {
      return false;
    }
    loaders[slot] = other;
    return true;
  }

  /** Forgets every value. */
  void clear() {
    while (size > 0) {
      evict(oldest);
    }
  }

  long usedBytes() {
    return usedBytes;
  }

  int size() {
    return size;
  }

  private int home(long key) {
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> 33) & (table.length - 1);
  }

  private int find(long key) {
    int at = home(key);
    while (table[at] != NONE && keys[table[at]] != key) {
      at = (at + 1) & (table.length - 1);
    }
    return at;
  }

  private void evict(int slot) {
    removeAt(find(keys[slot]));
    unlink(slot);
    usedBytes -= bytes[slot];
    size--;
    free[freeCount++] = slot;
  }

  /** Backward-shift deletion, so the table never has to be rebuilt. */
  private void removeAt(int place) {
    int hole = place;
    int next = place;
    while (true) {
      next = (next + 1) & (table.length - 1);
      if (table[next] == NONE) {
        break;
      }
      int wanted = home(keys[table[next]]);
      if (((next - wanted) & (table.length - 1)) >= ((next - hole) & (table.length - 1))) {
        table[hole] = table[next];
        hole = next;
      }
    }
    table[hole] = NONE;
  }

  private void unlink(int slot) {
    if (newer[slot] == NONE) {
      newest = older[slot];
    } else {
      older[newer[slot]] = older[slot];
    }
    if (older[slot] == NONE) {
      oldest = newer[slot];
    } else {
      newer[older[slot]] = newer[slot];
    }
  }

  private void linkNewest(int slot) {
    newer[slot] = NONE;
    older[slot] = newest;
    if (newest == NONE) {
      oldest = slot;
    } else {
      newer[newest] = slot;
    }
    newest = slot;
  }

  private void grow() {
    int old = keys.length;
    keys = Arrays.copyOf(keys, old * 2);
    bytes = Arrays.copyOf(bytes, old * 2);
    loaders = Arrays.copyOf(loaders, old * 2);
    newer = Arrays.copyOf(newer, old * 2);
    older = Arrays.copyOf(older, old * 2);
    free = new int[old * 2];
    for (int slot = old * 2 - 1; slot >= old; slot--) {
      free[freeCount++] = slot;
    }
    table = new int[old * 4];
    Arrays.fill(table, NONE);
    for (int slot = 0; slot < old; slot++) {
      table[find(keys[slot])] = slot;
    }
  }
}
