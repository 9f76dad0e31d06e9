/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys whose refresh was asked for lately, for stores that make each entry anew for each look: a
 * refresh that fails is repeated after a pause there too. Any thread.
 */
final class AskedFor<K> {
  /** The refresh that was asked for, by when it was due, and from when on it is repeated. */
  private record Asked(long softNanos, long againNanos) {}

  private final long pauseNanos;
  private final int most;

  // Guarded by this; in the order of their times.
  private final Map<K, Asked> keys = new LinkedHashMap<>();

  /**
   * @param pauseNanos until the same entry may be asked for again
   * @param most keys remembered; one more makes the oldest be forgotten, which may be asked for
   *     again at once
   */
  AskedFor(long pauseNanos, int most) {
    this.pauseNanos = pauseNanos;
    this.most = most;
  }

  /**
   * Whether the caller is to refresh a key that is due.
   *
   * @param softNanos since when; another time means another entry, which no caller has claimed yet
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

  /** Keys remembered. */
  synchronized int size() {
    return keys.size();
  }
}
