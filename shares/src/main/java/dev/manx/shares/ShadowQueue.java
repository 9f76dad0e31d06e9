/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.function.IntConsumer;

/**
 * The keys that fell out of a share last, without their values (Cliffhanger's shadow queue): a miss
 * whose key is in it would have been a hit, had the share been larger by what the queue stands for.
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
   * An empty queue whose owner gives slots out again.
   *
   * @param forgotten is told each slot that fell out of the queue for want of space
   */
  public ShadowQueue(int slots, long bytes, IntConsumer forgotten) {
    keys = new ByteLru(slots, bytes, forgotten);
  }

  /**
   * An entry of so many bytes fell out of the share.
   *
   * @return false if it alone is heavier than the queue: it is then not remembered
   */
  public boolean evicted(int slot, int bytes) {
    return keys.put(slot, bytes);
  }

  /** A miss of a key: whether the queue knew it; it then forgets it, for the share has it again. */
  public boolean missed(int slot) {
    return keys.remove(slot);
  }

  /** Bytes of the values whose keys it remembers. */
  public long bytes() {
    return keys.usedBytes();
  }
}
