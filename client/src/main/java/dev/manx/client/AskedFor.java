/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers the keys whose refresh was recently requested. Used for stores that create a new entry
 * object for each look-up: a failed refresh is then retried only after a pause. Thread-safe.
 */
final class AskedFor<K> {
  /** A requested refresh: the due time of its entry, and the earliest time of a retry. */
  private record Asked(long softNanos, long againNanos) {}

  private final long pauseNanos;
  private final int most;

  // Guarded by this; in insertion order.
  private final Map<K, Asked> keys = new LinkedHashMap<>();

  /**
   * @param pauseNanos time until the same entry may be claimed again
   * @param most maximum number of keys; beyond it the oldest is forgotten and may be claimed again
   *     at once
   */
  AskedFor(long pauseNanos, int most) {
    this.pauseNanos = pauseNanos;
    this.most = most;
  }

  /**
   * Whether the caller should refresh a key that is due.
   *
   * @param softNanos when the entry became due; a different time means a different entry, which is
   *     unclaimed
   */
  synchronized boolean claim(K key, long softNanos, long now) {
    Asked before = keys.get(key);
    if (before != null && before.softNanos == softNanos && !Timed.isPast(before.againNanos, now)) {
      return false;
    }
    Iterator<Asked> oldest = keys.values().iterator();
    while (oldest.hasNext() && Timed.isPast(oldest.next().againNanos, now)) {
      oldest.remove();
    }
    keys.remove(key);
    if (keys.size() >= most) {
      keys.remove(keys.keySet().iterator().next());
    }
    keys.put(key, new Asked(softNanos, now + pauseNanos));
    return true;
  }

  /** Number of remembered keys. */
  synchronized int size() {
    return keys.size();
  }
}
