/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Values on their way to a remote store: an invalidation of one of their keys waits until they have
 * arrived, and forgets it then. Any thread may call it.
 */
final class Puts<K> {
  /** Values sent together. */
  static final class Put<K> {
    private final Puts<K> all;
    private final Set<K> keys;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private Put(Puts<K> all, Collection<K> keys) {
      this.all = all;
      this.keys = new HashSet<>(keys);
    }

    /** They are there, or given up. */
    void end() {
      all.underWay.remove(this);
      ended.complete(null);
    }
  }

  private final Set<Put<K>> underWay = ConcurrentHashMap.newKeySet();

  /** Values of some of these keys may be sent; to be ended in any case. */
  Put<K> begin(Collection<K> keys) {
    Put<K> put = new Put<>(this, keys);
    underWay.add(put);
    return put;
  }

  /** Completes when all puts have ended that began before this call and may be of these keys. */
  CompletableFuture<Void> end(Collection<? extends K> keys) {
    return CompletableFuture.allOf(
        underWay.stream()
            .filter(put -> keys.stream().anyMatch(put.keys::contains))
            .map(put -> put.ended)
            .toArray(CompletableFuture<?>[]::new));
  }

  /** Completes when all puts have ended that began before this call. */
  CompletableFuture<Void> endAll() {
    return CompletableFuture.allOf(
        underWay.stream().map(put -> put.ended).toArray(CompletableFuture<?>[]::new));
  }
}
