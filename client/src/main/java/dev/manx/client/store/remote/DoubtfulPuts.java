/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Puts that were given up may still arrive: a network that drops packets delivers them again, a
 * client library keeps a queue. A key with such a put gets another name at the instance as soon as
 * it is invalidated or put again, so that what arrives late is never found. Any thread.
 */
final class DoubtfulPuts {
  /** Most keys in doubt or with another name; the store then begins anew. */
  static final int MOST = 10_000;

  // How many puts of a key are on their way.
  private final Map<String, Integer> underWay = new ConcurrentHashMap<>();
  private final Set<String> doubtful = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> renamed = new ConcurrentHashMap<>();
  // Never used twice, not even by stores that have begun anew.
  private final AtomicLong names = new AtomicLong();

  /**
   * What a key is called.
   *
   * @param prefix of the store; ends with a colon
   */
  String name(String prefix, String key) {
    Long name = renamed.isEmpty() ? null : renamed.get(key);
    return name == null
        ? prefix + key
        : prefix.substring(0, prefix.length() - 1) + '.' + name + ':' + key;
  }

  /** A put of keys is about to be sent; to be ended in any case. */
  void begin(Collection<String> keys) {
    for (String key : keys) {
      if (underWay.merge(key, 1, Integer::sum) > 1 || doubtful.contains(key)) {
        rename(key);
      }
    }
  }

  /**
   * A put ended.
   *
   * @param known whether it arrived, or never will
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

  /** Whether there are too many to be told apart one by one. */
  boolean tooMany() {
    return doubtful.size() + renamed.size() > MOST;
  }

  /** The store has begun anew: nothing that was ever put can be found. */
  void beganAnew() {
    doubtful.clear();
    renamed.clear();
  }
}
