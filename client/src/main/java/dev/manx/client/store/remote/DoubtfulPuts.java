/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tracks puts that were given up but may still arrive: a network retransmits dropped packets, and a
 * client library has a queue. When a key with such a put is invalidated or put again, it gets a new
 * name at the instance, so that the late value is never found. Thread-safe.
 */
final class DoubtfulPuts {
  /** Maximum number of keys in doubt or renamed; beyond it the store changes its prefix. */
  static final int MOST = 10_000;

  // Number of puts in progress by key.
  private final Map<String, Integer> underWay = new ConcurrentHashMap<>();
  private final Set<String> doubtful = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> renamed = new ConcurrentHashMap<>();
  // Never reused, not even after a change of the prefix.
  private final AtomicLong names = new AtomicLong();

  /**
   * The name of a key at the instance.
   *
   * @param prefix of the store; ends with a colon
   */
  String name(String prefix, String key) {
    Long name = renamed.isEmpty() ? null : renamed.get(key);
    return name == null
        ? prefix + key
        : prefix.substring(0, prefix.length() - 1) + '.' + name + ':' + key;
  }

  /** A put of keys is about to be sent; must be ended in every case. */
  void begin(Collection<String> keys) {
    for (String key : keys) {
      if (underWay.merge(key, 1, Integer::sum) > 1 || doubtful.contains(key)) {
        rename(key);
      }
    }
  }

  /**
   * A put has ended.
   *
   * @param known whether it arrived or certainly never will
   */
  void end(Collection<String> keys, boolean known) {
    for (String key : keys) {
      if (!known) {
        doubtful.add(key);
      }
      underWay.computeIfPresent(key, (k, puts) -> puts == 1 ? null : puts - 1);
    }
  }

  /** Keys are about to be deleted. */
  void invalidate(Collection<String> keys) {
    for (String key : keys) {
      if (underWay.containsKey(key) || doubtful.contains(key)) {
        rename(key);
      }
    }
  }

  private void rename(String key) {
    renamed.put(key, names.incrementAndGet());
    doubtful.remove(key);
  }

  /** Whether there are too many to track individually. */
  boolean tooMany() {
    return doubtful.size() + renamed.size() > MOST;
  }

  /** The store has changed its prefix: no earlier put can be found. */
  void beganAnew() {
    doubtful.clear();
    renamed.clear();
  }
}
