/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.function.IntConsumer;

/**
 * The keys last evicted from a share, without their values (Cliffhanger's shadow queue): a miss
 * whose key is in the queue would have been a hit if the share had been larger by the queue's size.
 * Confined like {@link ByteLru}.
 */
public final class ShadowQueue {
  private final ByteLru keys;

  /**
   * An empty queue.
   *
   * @param bytes of values whose keys it remembers
   */
  public ShadowQueue(int slots, long bytes) {
    this(slots, bytes, slot -> {});
  }

  /**
   * An empty queue whose owner reuses slots.
   *
   * @param forgotten receives each slot dropped from the queue to make room
   */
  public ShadowQueue(int slots, long bytes, IntConsumer forgotten) {
    keys = new ByteLru(slots, bytes, forgotten);
  }

  /**
   * Records that an entry of the given size was evicted from the share.
   *
   * @return false if the entry alone exceeds the queue; it is then not remembered
   */
  public boolean evicted(int slot, int bytes) {
    return keys.put(slot, bytes);
  }

  /**
   * Records a miss and returns whether the queue held the key; the key is then removed, because the
   * share holds it again.
   */
  public boolean missed(int slot) {
    return keys.remove(slot);
  }

  /** Bytes of the values whose keys it remembers. */
  public long bytes() {
    return keys.usedBytes();
  }
}
