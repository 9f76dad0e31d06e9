/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.tracing.QueryEnd;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The answer of a query while its keys come in, and their counts. The application waits for it.
 * Guarded by its query.
 */
/* It is the future itself, so that a miss allocates one object fewer. The application has that object, so
 * nothing of ours may lock it. */
final class QueryAnswer<K, V> extends CompletableFuture<Map<K, V>> {
  private final Map<K, V> found;
  private int hits;
  private int misses;
  private int staleKeys;
  // Null unless each key fails for itself: the keys without an answer yet, and the failures.
  private Set<K> open;
  private Map<K, Throwable> failed;
  private Throwable failure;

  /**
   * @param found values that are there already; it becomes the answer
   */
  QueryAnswer(Map<K, V> found) {
    this.found = found;
    hits = found.size();
  }

  /**
   * From now on each key fails for itself.
   *
   * @param keys not answered yet
   * @param failures takes what goes wrong
   */
  void each(Collection<? extends K> keys, Map<K, Throwable> failures) {
    open = new LinkedHashSet<>(keys);
    failed = failures;
  }

  /** Whether each key fails for itself. */
  boolean isOfEach() {
    return open != null;
  }

  /** Takes what the store has; the keys that it does not have. */
  Set<K> lookedUp(Collection<? extends K> keys, Map<K, V> there) {
    Set<K> missing = new LinkedHashSet<>();
    for (K key : keys) {
      V value = there.get(key);
      if (value == null) {
        missing.add(key);
      } else {
        found.put(key, value);
      }
    }
    hits = found.size();
    if (open != null) {
      open.retainAll(missing);
    }
    return missing;
  }

  /**
   * It is known what the backend is needed for.
   *
   * @param absent keys that are known not to exist
   * @param wanted keys that must be loaded
   */
  void misses(int absent, List<K> wanted) {
    hits += absent;
    misses = wanted.size();
    if (open != null) {
      open.retainAll(wanted);
    }
  }

  /** Takes the values of a load; its other keys do not exist. */
  void take(List<K> keys, Map<K, V> values) {
    for (K key : keys) {
      V value = values.get(key);
      if (value != null) {
        found.put(key, value);
      }
      if (open != null) {
        open.remove(key);
      }
    }
  }

  /** Takes what the second level had though the load has failed or is late; the other keys. */
  List<K> takeBelow(Load<K, V> load, List<K> keys) {
    List<K> others = new ArrayList<>(keys.size());
    for (K key : keys) {
      V value = load.below(key);
      if (value == null) {
        others.add(key);
      } else {
        found.put(key, value);
        if (open != null) {
          open.remove(key);
        }
      }
    }
    return others;
  }

  /** Takes expired values for keys that got none. */
  void takeStale(List<K> keys, Map<K, V> stale) {
    keys.forEach(key -> found.putIfAbsent(key, stale.get(key)));
    staleKeys += keys.size();
    if (open != null) {
      open.removeAll(keys);
    }
  }

  /** Those of the keys that have no answer get none, if each fails for itself. */
  void fail(List<K> keys, Throwable why) {
    if (open != null) {
      keys.stream().filter(open::remove).forEach(key -> failed.put(key, why));
    }
  }

  /** The query fails, or all that have no answer yet of the keys that fail for themselves. */
  void fail(Throwable why) {
    failure = why;
    if (open != null) {
      open.forEach(key -> failed.put(key, why));
    }
  }

  /** Keys that the cache answered, as absent too. */
  int hits() {
    return hits;
  }

  /** Keys that need the backend. */
  int misses() {
    return misses;
  }

  /** Gives the application what has come in, or the failure. Not under the query's lock. */
  void settle() {
    if (failure == null || open != null) {
      complete(found);
    } else {
      completeExceptionally(failure);
    }
  }

  /**
   * How a query ends that never waits.
   *
   * @param keys that it would have waited for
   */
  QueryEnd rejected(boolean cached, int keys, Throwable why) {
    // Without an answer of its own for each key, what was found is lost with the rest.
    int answered = open == null ? 0 : hits;
    return new QueryEnd(cached, hits, keys, answered, 0, hits + keys - answered, why);
  }

  /** How its query has ended. */
  QueryEnd end(boolean cached) {
    return open == null ? endOfAll(cached) : endOfEach(cached);
  }

  private QueryEnd endOfAll(boolean cached) {
    int keys = hits + misses;
    return failure == null
        ? new QueryEnd(cached, hits, misses, found.size(), staleKeys, 0, null)
        : new QueryEnd(cached, hits, misses, 0, 0, keys, failure);
  }

  private QueryEnd endOfEach(boolean cached) {
    Throwable why = failure;
    if (why == null && !failed.isEmpty()) {
      why = failed.values().iterator().next();
    }
    return new QueryEnd(cached, hits, misses, found.size(), staleKeys, failed.size(), why);
  }
}
