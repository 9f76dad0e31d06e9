/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

/**
 * Cancellations that arrived at a replica before the copy that they cancel. Bounded: each id has
 * eight slots; if all are in use, the tombstone nearest its expiry is replaced. Sequential;
 * allocates nothing.
 */
public final class Tombstones {
  private static final int WAYS = 8;

  private final long ttlNanos;
  private final long[] ids;
  private final long[] endsNanos;
  private final boolean[] used;

  /**
   * Creates an empty store.
   *
   * @param capacity approximate capacity; rounded up to a power of two of at least 8
   * @param ttlNanos lifetime; a copy that arrives later runs
   */
  public Tombstones(int capacity, long ttlNanos) {
    int length = Integer.highestOneBit(Math.max(WAYS, capacity) * 2 - 1);
    this.ttlNanos = ttlNanos;
    ids = new long[length];
    endsNanos = new long[length];
    used = new boolean[length];
  }

  /** Records a cancellation that found no copy. */
  public void cancelled(long copyId, long nowNanos) {
    int place = start(copyId);
    for (int i = start(copyId), end = i + WAYS; i < end; i++) {
      if (!used[i] || nowNanos - endsNanos[i] >= 0 || ids[i] == copyId) {
        place = i;
        break;
      }
      if (endsNanos[i] - endsNanos[place] < 0) {
        place = i;
      }
    }
    ids[place] = copyId;
    endsNanos[place] = nowNanos + ttlNanos;
    used[place] = true;
  }

  /** Whether a copy that has just arrived was cancelled before; removes its tombstone. */
  public boolean drops(long copyId, long nowNanos) {
    for (int i = start(copyId), end = i + WAYS; i < end; i++) {
      if (used[i] && ids[i] == copyId) {
        used[i] = false;
        return nowNanos - endsNanos[i] < 0;
      }
    }
    return false;
  }

  private int start(long copyId) {
    long mixed = copyId * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) & (ids.length - 1) & -WAYS;
  }
}
