/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keys that were invalidated without the instance confirming it: they are misses until it does.
 * More than {@value #MOST} are not remembered one by one; then every key is a miss until the store
 * has begun anew. Any thread.
 */
final class Unconfirmed {
  static final int MOST = 10_000;

  // By key the number of its last invalidation, so that an older one's confirmation is not enough.
  private final Map<String, Long> keys = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private volatile boolean all;

  synchronized void add(Collection<String> more) {
    if (keys.size() + more.size() > MOST) {
      all = true;
    } else {
      more.forEach(key -> keys.put(key, numbers.incrementAndGet()));
    }
  }

  boolean contains(String key) {
    return all || (!keys.isEmpty() && keys.containsKey(key));
  }

  boolean isEmpty() {
    return !all && keys.isEmpty();
  }

  /** Whether there are too many to confirm one by one. */
  boolean isAll() {
    return all;
  }

  /** Those to have confirmed. */
  Map<String, Long> some() {
    return new HashMap<>(keys);
  }

  /**
   * Some are confirmed, unless they were invalidated once more.
   *
   * @param asked what {@link #some} said
   */
  void confirmed(Collection<String> some, Map<String, Long> asked) {
    some.forEach(key -> keys.remove(key, asked.get(key)));
  }

  /** The store has begun anew: nothing that was ever put can be found. */
  synchronized void beganAnew() {
    keys.clear();
    all = false;
  }
}
