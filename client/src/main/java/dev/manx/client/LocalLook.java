/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A query's look-up in a store in this process. */
final class LocalLook {
  private LocalLook() {}

  /**
   * Looks up keys and returns the missing ones, each once.
   *
   * @param found receives the values of the others
   * @throws NullPointerException if a key is null
   */
  static <K, V> Collection<K> look(
      Backend<K, V> backend, Collection<? extends K> keys, Map<K, V> found) {
    Collection<K> missing = List.of();
    for (K key : keys) {
      Objects.requireNonNull(key, "key");
      V value = backend.lookUps().here(key);
      if (value != null) {
        found.put(key, value);
      } else {
        missing = with(missing, key);
      }
    }
    // A duplicate key may have been stored in between.
    return missing.isEmpty() || found.isEmpty() ? missing : without(missing, found);
  }

  /* Most misses are of a single key, for which a set takes seven times the memory of a list. */
  private static <K> Collection<K> with(Collection<K> missing, K key) {
    if (missing.isEmpty()) {
      return List.of(key);
    }
    Collection<K> more =
        missing instanceof LinkedHashSet<K> set ? set : new LinkedHashSet<>(missing);
    more.add(key);
    return more;
  }

  private static <K> Collection<K> without(Collection<K> missing, Map<K, ?> found) {
    if (missing instanceof LinkedHashSet<K> set) {
      set.removeIf(found::containsKey);
      return set;
    }
    return found.containsKey(missing.iterator().next()) ? List.of() : missing;
  }
}
