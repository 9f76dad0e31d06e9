/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The result of each key of a query; a key that is in neither map does not exist. Unmodifiable.
 *
 * @param found values by key
 * @param failed failures by key
 */
public record QueryResults<K, V>(Map<K, V> found, Map<K, Throwable> failed) {
  /** Freezes the maps. */
  public QueryResults {
    found = Collections.unmodifiableMap(found);
    failed = Collections.unmodifiableMap(failed);
  }

  /** Whether every key was answered. */
  public boolean isWhole() {
    return failed.isEmpty();
  }

  /**
   * The values, with fallbacks for the failed keys; unmodifiable.
   *
   * @param fallback makes a value of a key and its failure; null omits the key
   */
  public Map<K, V> or(BiFunction<? super K, ? super Throwable, ? extends V> fallback) {
    if (failed.isEmpty()) {
      return found;
    }
    Map<K, V> all = new HashMap<>(found);
    failed.forEach(
        (key, why) -> {
          V value = fallback.apply(key, why);
          if (value != null) {
            all.put(key, value);
          }
        });
    return Collections.unmodifiableMap(all);
  }
}
