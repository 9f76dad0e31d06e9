/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.util.Arrays;

/** The ids already taken by one request: open addressing, reused from request to request. */
final class IdSet {
  private int[] slots = new int[16];
  private int mask = 15;

  /** Empties the set and makes room for so many ids at a load of at most one half. */
  void clear(int capacity) {
    int size = Integer.highestOneBit(Math.max(8, capacity)) * 4;
    if (slots.length < size) {
      slots = new int[size];
    }
    mask = size - 1;
    Arrays.fill(slots, 0, size, -1);
  }

  /** Adds an id of at least 0; false when it was there. */
  boolean add(int id) {
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
