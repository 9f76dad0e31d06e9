/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keys that the instance is yet to delete: they are misses until it has confirmed that. Any thread.
 *
 * <p>More than {@value #MOST} keys that were invalidated are not remembered one by one; then every
 * key is a miss until the store has begun anew. Keys that were dropped, which may be found until
 * they expire, have as many places of their own; further ones are left out.
 */
final class Unconfirmed {
  static final int MOST = 10_000;

  // By key the number of its last invalidation, so that an older one's confirmation is not enough.
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

  /** Remembers keys as long as there is room. */
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

  /** Whether there are too many to confirm one by one. */
  boolean isAll() {
    return all;
  }

  /** Those to have confirmed. */
  Map<String, Long> some() {
    Map<String, Long> some = new HashMap<>(dropped);
    keys.forEach((key, number) -> some.merge(key, number, Math::max));
    return some;
  }

  /**
   * Some are confirmed, unless they were invalidated once more.
   *
   * @param asked what {@link #some} said
   */
  void confirmed(Collection<String> some, Map<String, Long> asked) {
    for (String key : some) {
      long number = asked.get(key);
      keys.computeIfPresent(key, (k, last) -> last <= number ? null : last);
      dropped.computeIfPresent(key, (k, last) -> last <= number ? null : last);
    }
  }

  /** The store has begun anew: nothing that was ever put can be found. */
  synchronized void beganAnew() {
    keys.clear();
    dropped.clear();
    all = false;
  }
}
