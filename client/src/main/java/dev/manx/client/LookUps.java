/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.measure.MeasuredStore;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.Store;
import dev.manx.client.timer.Timer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Looks into the store of one backend. Never fails: the keys of a look-up that fails or takes too
 * long are missing, and the failure is counted. Thread-safe.
 */
final class LookUps<K, V> {
  private final Store<K, V> store;
  private final LocalStore<K, V> local;
  private final BackendCounters counters;
  private final Timer guard;
  private final HandOver.Lanes lanes;
  private final long timeOutNanos;

  /**
   * @param guard of the cache's internal waits
   * @param timeOutNanos of a look into a remote store
   */
  LookUps(
      Store<K, V> store,
      BackendCounters counters,
      Timer guard,
      HandOver.Lanes lanes,
      long timeOutNanos) {
    this.store = store;
    this.local = store instanceof LocalStore<K, V> here ? here : null;
    this.counters = counters;
    this.guard = guard;
    this.lanes = lanes;
    this.timeOutNanos = timeOutNanos;
  }

  /** Whether the store is in this process, so that look-ups do not wait. */
  boolean areHere() {
    return local != null;
  }

  /** The value in the local store, or null. */
  V here(K key) {
    return here(local, key);
  }

  private V here(LocalStore<K, V> there, K key) {
    try {
      return there.get(key);
    } catch (Throwable e) {
      // Includes an Error of a key's hashCode or equals: the load that follows fails with it.
      counters.lookUpFailures.increment();
      return null;
    }
  }

  /**
   * The values in a remote store.
   *
   * @param lane threads that decode the values
   */
  CompletionStage<Map<K, V>> all(Collection<? extends K> keys, Lane lane) {
    return answers(() -> store.getAll(keys, lane.codecs()));
  }

  /**
   * A value, or null, for the application itself: starts no refresh, and is not measured. Its
   * callbacks run on threads on which they may block.
   */
  CompletionStage<V> ifPresent(K key) {
    if (store instanceof TimedStore<K, V> timed) {
      return one(key, answers(() -> timed.look(List.of(key), lanes.looks().codecs())));
    }
    Store<K, V> unmeasured = MeasuredStore.unmeasured(store);
    return unmeasured instanceof LocalStore<K, V> there
        ? CompletableFuture.completedFuture(here(there, key))
        : one(key, answers(() -> unmeasured.getAll(List.of(key), lanes.looks().codecs())));
  }

  /** On a miss, does not wait for the codec. */
  private CompletionStage<V> one(K key, CompletionStage<Map<K, V>> look) {
    return Lane.handOver(
        look.thenApply(found -> found.get(key)), lanes.looks().hereOr(lanes.done()));
  }

  private CompletionStage<Map<K, V>> answers(Supplier<CompletionStage<Map<K, V>>> look) {
    try {
      // Stores bound their own waiting; this timeout also holds if a store does not.
      return guard.within(
          timeOutNanos,
          look.get().handle((found, error) -> found == null ? nothing() : found),
          Map.of());
    } catch (Throwable e) {
      return CompletableFuture.completedFuture(nothing());
    }
  }

  private Map<K, V> nothing() {
    counters.lookUpFailures.increment();
    return Map.of();
  }
}
