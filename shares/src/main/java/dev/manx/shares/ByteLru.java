/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * An LRU list bounded in bytes; the limit may change at any time. Entries are known by small
 * numbers (slots) that the owner gives out: the simulator uses its objects' numbers, a store with
 * real keys keeps a map from key to slot. 16 bytes of memory per slot. Confined to one thread or
 * its owner's lock.
 */
public final class ByteLru {
  /* The fields of a slot are adjacent, so that an access touches one cache line. */
  private static final int NEWER = 0;
  private static final int OLDER = 1;
  private static final int BYTES = 2;
  private static final int SHIFT = 2;
  private static final int MAX_SLOTS = 1 << 29;

  private static final int NONE = -1;
  private static final int ABSENT = -2;

  private final IntConsumer evicted;
  private int[] links;
  private int newest = NONE;
  private int oldest = NONE;
  private int size;
  private long limitBytes;
  private long usedBytes;

  /**
   * An empty list.
   *
   * @param slots initial number; more are added on use
   * @param evicted receives each slot that is evicted to make room
   */
  public ByteLru(int slots, long limitBytes, IntConsumer evicted) {
    this.evicted = evicted;
    this.limitBytes = limitBytes;
    links = new int[slots << SHIFT];
    Arrays.fill(links, ABSENT);
  }

  /** Whether an entry is present; does not touch it. */
  public boolean contains(int slot) {
    return slot < links.length >> SHIFT && links[(slot << SHIFT) + NEWER] != ABSENT;
  }

  /** Makes an entry the newest if it is present. */
  public boolean touch(int slot) {
    if (!contains(slot)) {
      return false;
    }
    if (slot != newest) {
      unlink(slot);
      link(slot);
    }
    return true;
  }

  /**
   * Adds or replaces an entry as the newest; the oldest are evicted to make room.
   *
   * @param weight in bytes, not negative
   * @return false if the entry alone exceeds the limit; it is then absent
   */
  public boolean put(int slot, int weight) {
    if (weight < 0) {
      throw new IllegalArgumentException("an entry of " + weight + " bytes");
    }
    remove(slot);
    if (weight > limitBytes) {
      return false;
    }
    evictTo(limitBytes - weight);
    grow(slot);
    links[(slot << SHIFT) + BYTES] = weight;
    usedBytes += weight;
    size++;
    link(slot);
    return true;
  }

  /** Removes an entry without a call of the listener. */
  public boolean remove(int slot) {
    if (!contains(slot)) {
      return false;
    }
    drop(slot);
    return true;
  }

  /** Changes the limit; the oldest entries are evicted until the rest fits. */
  public void resize(long newLimitBytes) {
    if (newLimitBytes < 0) {
      throw new IllegalArgumentException("a limit of " + newLimitBytes + " bytes");
    }
    limitBytes = newLimitBytes;
    evictTo(newLimitBytes);
  }

  /** Bytes of an entry that is present or just being passed to the listener. */
  public int bytes(int slot) {
    return links[(slot << SHIFT) + BYTES];
  }

  /** Limit in bytes. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Bytes of all entries. */
  public long usedBytes() {
    return usedBytes;
  }

  /** Number of entries. */
  public int size() {
    return size;
  }

  /** The entry that would be evicted next, or -1. */
  public int oldest() {
    return oldest;
  }

  private void evictTo(long most) {
    while (usedBytes > most) {
      int slot = oldest;
      drop(slot);
      evicted.accept(slot);
    }
  }

  private void drop(int slot) {
    unlink(slot);
    links[(slot << SHIFT) + NEWER] = ABSENT;
    usedBytes -= links[(slot << SHIFT) + BYTES];
    size--;
  }

  private void link(int slot) {
    int own = slot << SHIFT;
    links[own + NEWER] = NONE;
    links[own + OLDER] = newest;
    if (newest == NONE) {
      oldest = slot;
    } else {
      links[(newest << SHIFT) + NEWER] = slot;
    }
    newest = slot;
  }

  private void unlink(int slot) {
    int own = slot << SHIFT;
    int after = links[own + NEWER];
    int before = links[own + OLDER];
    if (after == NONE) {
      newest = before;
    } else {
      links[(after << SHIFT) + OLDER] = before;
    }
    if (before == NONE) {
      oldest = after;
    } else {
      links[(before << SHIFT) + NEWER] = after;
    }
  }

  private void grow(int slot) {
    int slots = links.length >> SHIFT;
    if (slot >= MAX_SLOTS) {
      throw new IllegalArgumentException("slot " + slot + ", at most " + (MAX_SLOTS - 1));
    }
    if (slot >= slots) {
      int more = (int) Math.min(MAX_SLOTS - 1L, Math.max(slot + 1L, slots + (slots >> 1)));
      int length = links.length;
      links = Arrays.copyOf(links, more << SHIFT);
      Arrays.fill(links, length, links.length, ABSENT);
    }
  }
}
