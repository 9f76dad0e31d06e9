/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.tracing.QueryEnd;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The answer of a query while its keys arrive, with the counts of keys. The application waits for
 * it. Guarded by its query.
 */
/* It is the future itself, which saves an allocation per miss. The application has that object,
 * so our code must not lock it. */
final class QueryAnswer<K, V> extends CompletableFuture<Map<K, V>> {
  private final Map<K, V> found;
  private int hits;
  private int absent;
  private int misses;
  private int pending;
  private int early;
  private int asked;
  private int staleKeys;
  // Null unless each key fails individually: the unanswered keys, and the failures.
  private Set<K> open;
  private Map<K, Throwable> failed;
  private Throwable failure;

  /**
   * @param found values that are already there; this map becomes the answer
   * @param absent number of keys already known not to exist
   */
  QueryAnswer(Map<K, V> found, int absent) {
    this.found = found;
    this.absent = absent;
    hits = found.size() + absent;
  }

  /**
   * Lets each key fail individually.
   *
   * @param keys keys without an answer yet
   * @param failures receives the failures
   */
  void each(Collection<? extends K> keys, Map<K, Throwable> failures) {
    open = new LinkedHashSet<>(keys);
    failed = failures;
  }

  /** Takes the store's values; returns the missing keys. */
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
   * Sets which keys require the backend.
   *
   * @param newAbsent number of other keys known not to exist
   * @param wanted keys that must be loaded
   */
  void misses(int newAbsent, List<K> wanted) {
    absent += newAbsent;
    hits += newAbsent;
    misses = wanted.size();
    pending = misses;
    if (open != null && newAbsent > 0) {
      // A list would be searched once for each key.
      open.retainAll(new HashSet<>(wanted));
    }
  }

  /**
   * Takes the end of a load.
   *
   * @param error the load's failure; null: it was answered, though some keys may have failed
   * @return the failure that ends the query; null if each of these keys has an answer, or its own
   *     failure
   */
  Throwable take(LoaderCall<K, V> load, List<K> keys, Map<K, V> values, Throwable error) {
    Throwable why;
    if (error != null) {
      why = takeFailed(load, keys, LoaderCall.bare(error));
    } else if (load.failed.isEmpty()) {
      takeValues(load, keys, values);
      why = null;
    } else {
      why = takePart(load, keys, values);
    }
    if (why == null) {
      pending -= keys.size();
    }
    return why;
  }

  private Throwable takeFailed(LoaderCall<K, V> load, List<K> keys, Throwable why) {
    List<K> others = takeFound(load, keys, load.isLate());
    return takeOld(others, load.stale, key -> load.failure(key, why)) ? null : why;
  }

  /** Takes the values of a load that failed for some of its keys. */
  private Throwable takePart(LoaderCall<K, V> load, List<K> keys, Map<K, V> values) {
    List<K> answered = new ArrayList<>(keys);
    List<K> others = new ArrayList<>(keys);
    answered.removeIf(load.failed::containsKey);
    others.removeIf(key -> !load.failed.containsKey(key));
    takeValues(load, answered, values);
    asked += others.size();
    return takeOld(others, load.stale, load.failed::get) ? null : load.firstFailure(others);
  }

  /**
   * Takes the available values when the request times out.
   *
   * @param underWay loads in progress, or null for loads about to begin, and their keys; empty if
   *     no fallback values are possible
   * @param stale expired values
   * @param late the time-out
   * @return as {@link #take}
   */
  Throwable takeLate(Map<LoaderCall<K, V>, List<K>> underWay, Map<K, V> stale, Throwable late) {
    if (underWay.isEmpty()) {
      asked += pending;
      return late;
    }
    List<K> others = new ArrayList<>();
    underWay.forEach(
        (load, keys) -> others.addAll(load == null ? keys : takeFound(load, keys, true)));
    return takeOld(others, stale, key -> late) ? null : late;
  }

  /** Takes a load's values of answered keys; those without a value do not exist. */
  private void takeValues(LoaderCall<K, V> load, List<K> keys, Map<K, V> values) {
    for (K key : keys) {
      V value = values.get(key);
      if (value != null) {
        found.put(key, value);
      }
      if (open != null) {
        open.remove(key);
      }
    }
    int foundEarly = load.countFound(keys);
    early += foundEarly;
    asked += keys.size() - foundEarly;
  }

  /**
   * Takes the values that were found before the loader was called, although the load has failed or
   * is late; returns the other keys. Counts each key once.
   *
   * @param late whether the other keys have waited for long
   */
  private List<K> takeFound(LoaderCall<K, V> load, List<K> keys, boolean late) {
    List<K> others = new ArrayList<>(keys.size());
    for (K key : keys) {
      V value = load.found(key);
      if (value == null) {
        others.add(key);
      } else {
        found.put(key, value);
        if (open != null) {
          open.remove(key);
        }
      }
    }
    early += keys.size() - others.size();
    // Other failures do not show the time in which the backend answers; they often come at once.
    if (late && load.hasBegun()) {
      asked += others.size();
    }
    return others;
  }

  /**
   * Answers keys with expired values; the other keys fail if each key may fail individually.
   *
   * @param why the failure of each key
   * @return whether that is enough for these keys; else nothing has changed
   */
  private boolean takeOld(List<K> keys, Map<K, V> stale, Function<K, Throwable> why) {
    List<K> old = keys.stream().filter(stale::containsKey).toList();
    if (open == null && old.size() < keys.size()) {
      return false;
    }
    old.forEach(key -> found.putIfAbsent(key, stale.get(key)));
    staleKeys += old.size();
    if (open != null) {
      // Its removeAll might search the list once for each key.
      old.forEach(open::remove);
    }
    fail(keys, why);
    return true;
  }

  /** Fails the keys without an answer, if each key fails individually. */
  private void fail(List<K> keys, Function<K, Throwable> why) {
    if (open == null) {
      return;
    }
    Set<K> unanswered = open;
    // If a key's equals or hashCode fails, no key can fail individually.
    open = null;
    keys.stream().filter(unanswered::remove).forEach(key -> failed.put(key, why.apply(key)));
    open = unanswered;
  }

  /** Fails the query, or all unanswered keys if each fails individually. Never throws. */
  void fail(Throwable why) {
    failure = why;
    try {
      fail(open == null ? List.of() : List.copyOf(open), key -> why);
    } catch (Throwable e) {
      // The query fails as a whole.
    }
  }

  /** Keys answered by the cache, including absent ones. */
  int hits() {
    return hits;
  }

  /** Hits of keys known not to exist. */
  int absent() {
    return absent;
  }

  /** Keys that require the backend. */
  int misses() {
    return misses;
  }

  /** Misses that were answered without the loader. */
  int early() {
    return early;
  }

  /** Misses whose answer, or time-out, shows the latency of the backend. */
  int asked() {
    return asked;
  }

  /** Misses answered with expired values. */
  int stale() {
    return staleKeys;
  }

  /** Completes the future with the values or the failure. Not under the query's lock. */
  void settle() {
    if (failure == null || open != null) {
      complete(found);
    } else {
      completeExceptionally(failure);
    }
  }

  /**
   * The end of a query that never waits.
   *
   * @param keys number of keys that it would have waited for
   */
  QueryEnd rejected(boolean cached, int keys, Throwable why) {
    // Without individual failures, the values found are lost with the rest.
    return open == null
        ? new QueryEnd(cached, hits, keys, 0, 0, hits + keys, why)
        : new QueryEnd(cached, hits, keys, found.size(), 0, keys, why);
  }

  /** The result with which its query has ended. */
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
