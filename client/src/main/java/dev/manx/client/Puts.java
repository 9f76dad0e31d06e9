/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Values being sent to a remote store. An invalidation of one of their keys waits until they have
 * arrived, then removes the key. Thread-safe.
 */
final class Puts<K> {
  private static final CompletableFuture<Void> NONE = CompletableFuture.completedFuture(null);

  /** Values sent together. */
  static final class Put<K> {
    private final Puts<K> all;
    private final List<K> keys;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private Put(Puts<K> all, Collection<K> keys) {
      this.all = all;
      this.keys = List.copyOf(keys);
    }

    /** Marks the values as arrived or given up. */
    void end() {
      all.underWay.remove(this);
      for (K key : keys) {
        all.forget(key, this);
      }
      ended.complete(null);
    }
  }

  private final Set<Put<K>> underWay = ConcurrentHashMap.newKeySet();

  /* Puts in progress by key; a key rarely has a second one. A search over all puts would make
   * each load pay for the loads of other keys, most of all when the store is slow. */
  private final ConcurrentHashMap<K, List<Put<K>>> byKey = new ConcurrentHashMap<>();

  /** Registers that values of these keys may be sent; the caller must end it in every case. */
  Put<K> begin(Collection<K> keys) {
    Put<K> put = new Put<>(this, keys);
    underWay.add(put);
    boolean begun = false;
    try {
      for (K key : put.keys) {
        byKey.merge(key, List.of(put), Puts::joined);
      }
      begun = true;
    } finally {
      if (!begun) {
        // A key's equals or hashCode failed: invalidations of the other keys must not wait for
        // ever.
        put.end();
      }
    }
    return put;
  }

  private static <T> List<T> joined(List<T> before, List<T> more) {
    List<T> all = new ArrayList<>(before);
    all.addAll(more);
    return all;
  }

  private void forget(K key, Put<K> put) {
    try {
      byKey.computeIfPresent(
          key, (k, puts) -> puts.size() == 1 ? last(puts, put) : less(puts, put));
    } catch (Throwable e) {
      // The hashCode of a key fails by now: its put has ended and does not block others.
    }
  }

  private static <T> List<T> last(List<T> puts, T put) {
    return puts.get(0) == put ? null : puts;
  }

  private static <T> List<T> less(List<T> puts, T put) {
    List<T> left = new ArrayList<>(puts);
    left.remove(put);
    return left;
  }

  /** Completes when all puts of these keys that began before this call have ended. */
  CompletableFuture<Void> end(Collection<? extends K> keys) {
    if (byKey.isEmpty()) {
      return NONE;
    }
    Set<CompletableFuture<Void>> earlier = new HashSet<>();
    for (K key : keys) {
      for (Put<K> put : byKey.getOrDefault(key, List.of())) {
        earlier.add(put.ended);
      }
    }
    return earlier.isEmpty() ? NONE : all(earlier);
  }

  /** Completes when all puts that began before this call have ended. */
  CompletableFuture<Void> endAll() {
    return all(underWay.stream().map(put -> put.ended).toList());
  }

  private static CompletableFuture<Void> all(Collection<CompletableFuture<Void>> some) {
    return CompletableFuture.allOf(some.toArray(CompletableFuture<?>[]::new));
  }
}
