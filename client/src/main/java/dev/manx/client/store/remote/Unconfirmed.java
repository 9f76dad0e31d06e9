/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keys that the instance has yet to delete: they are misses until it confirms the deletion.
 * Thread-safe.
 *
 * <p>More than {@value #MOST} invalidated keys are not remembered individually: every key is then a
 * miss until the store has changed its prefix. Dropped keys, which may be found until they expire,
 * have the same number of separate places; further ones are ignored.
 */
final class Unconfirmed {
  static final int MOST = 10_000;

  // The number of each key's last invalidation, so that confirming an older one is not enough.
  private final Map<String, Long> keys = new ConcurrentHashMap<>();
  private final Map<String, Long> dropped = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private volatile boolean all;

  synchronized void add(Collection<String> more) {
    if (keys.size() + more.size() > MOST) {
      all = true;
    } else {
      more.forEach(key -> keys.put(key, numbers.incrementAndGet()));
    }
  }

  /** Remembers keys while there is room. */
  synchronized void drop(Collection<String> more) {
    for (String key : more) {
      if (dropped.size() < MOST || dropped.containsKey(key)) {
        dropped.put(key, numbers.incrementAndGet());
      }
    }
  }

  boolean contains(String key) {
    return all || isIn(keys, key) || isIn(dropped, key);
  }

  private static boolean isIn(Map<String, Long> some, String key) {
    return !some.isEmpty() && some.containsKey(key);
  }

  boolean isEmpty() {
    return !all && keys.isEmpty() && dropped.isEmpty();
  }

  /** Whether there are too many to confirm individually. */
  boolean isAll() {
    return all;
  }

  /** The keys to be confirmed. */
  Map<String, Long> some() {
    Map<String, Long> some = new HashMap<>(dropped);
    keys.forEach((key, number) -> some.merge(key, number, Math::max));
    return some;
  }

  /**
   * Confirms keys, unless they were invalidated again.
   *
   * @param asked the result of {@link #some}
   */
  void confirmed(Collection<String> some, Map<String, Long> asked) {
    for (String key : some) {
      long number = asked.get(key);
      keys.computeIfPresent(key, (k, last) -> last <= number ? null : last);
      dropped.computeIfPresent(key, (k, last) -> last <= number ? null : last);
    }
  }

  /** The store has changed its prefix: no earlier put can be found. */
  synchronized void beganAnew() {
    keys.clear();
    dropped.clear();
    all = false;
  }
}
