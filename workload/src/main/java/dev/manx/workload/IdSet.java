/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.util.Arrays;

/**
 * The ids already drawn for one request: a hash set with open addressing, reused across requests.
 */
public final class IdSet {
  private int[] slots = new int[16];
  private int mask = 15;

  /**
   * Clears the set and makes room for the given number of ids at a load factor of at most one half.
   */
  public void clear(int capacity) {
    int size = Integer.highestOneBit(Math.max(8, capacity)) * 4;
    if (slots.length < size) {
      slots = new int[size];
    }
    mask = size - 1;
    Arrays.fill(slots, 0, size, -1);
  }

  /** Adds an id of at least 0; returns false if it was present. */
  public boolean add(int id) {
    int at = (int) Hashes.mix(id) & mask;
    while (slots[at] >= 0) {
      if (slots[at] == id) {
        return false;
      }
      at = (at + 1) & mask;
    }
    slots[at] = id;
    return true;
  }
}
