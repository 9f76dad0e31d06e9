/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.manx.policy.NanoClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Remembers for a limited time which keys a backend does not have. Separate from the store, so that
 * a remote store needs no encoding of "absent". The number of entries is bounded.
 */
final class NegativeCache<K> {
  private final Cache<K, Boolean> absent;

  NegativeCache(BackendSettings settings, NanoClock clock) {
    absent =
        settings.rememberAbsent().isZero()
            ? null
            : Caffeine.newBuilder()
                .executor(Runnable::run)
                .ticker(clock::nanoTime)
                .expireAfterWrite(settings.rememberAbsent())
                .maximumSize(settings.absentEntries())
                .build();
  }

  private boolean isAbsent(K key) {
    return absent != null && absent.getIfPresent(key) != null;
  }

  /** The given keys without those known to be absent. */
  List<K> without(Collection<K> keys) {
    List<K> others = new ArrayList<>(keys.size());
    for (K key : keys) {
      if (!isAbsent(key)) {
        others.add(key);
      }
    }
    return others;
  }

  void add(K key) {
    if (absent != null) {
      absent.put(key, Boolean.TRUE);
    }
  }

  void clear() {
    if (absent != null) {
      absent.invalidateAll();
    }
  }

  void remove(K key) {
    if (absent != null) {
      absent.invalidate(key);
    }
  }
}
