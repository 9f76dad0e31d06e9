/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.cache;

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
    keys = new ByteLru(slots, bytes, slot -> {});
  }

  /** An entry of so many bytes fell out of the share. */
  public void evicted(int slot, int bytes) {
    keys.put(slot, bytes);
  }

  /** A miss of a key: whether the queue knew it; it then forgets it, for the share has it again. */
  public boolean missed(int slot) {
    return keys.remove(slot);
  }
}
