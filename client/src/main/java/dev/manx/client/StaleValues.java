/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.store.LocalStore;
import dev.manx.client.store.Store;
import dev.manx.client.timer.Timer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Expired values of one backend's store, which queries may get if the backend fails or is late.
 * Looks for them only if some query may get them. Thread-safe.
 */
final class StaleValues<K, V> {
  // Null if no expired value may be answered.
  private final TimedStore<K, V> timed;
  private final boolean local;
  private final Timer guard;
  private final HandOver.Lanes lanes;
  private final long timeOutNanos;

  /**
   * @param guard of the cache's internal waits
   * @param timeOutNanos of a look into a remote store
   */
  StaleValues(Store<K, V> store, Timer guard, HandOver.Lanes lanes, long timeOutNanos) {
    this.timed = store instanceof TimedStore<K, V> aging && aging.answersExpired() ? aging : null;
    this.local = store instanceof LocalStore;
    this.guard = guard;
    this.lanes = lanes;
    this.timeOutNanos = timeOutNanos;
  }

  /**
   * Ends a load that failed for some of its keys, once it has their expired values, which its
   * queries then get.
   *
   * @param end ends the load; runs in every case
   */
  void then(LoaderCall<K, V> load, List<K> failed, Runnable end) {
    // Queries wait for a refresh only if they have joined it; here a look costs nothing.
    boolean asked = load.cached && (local || !load.again || load.joined);
    if (timed == null || !asked || failed.isEmpty()) {
      end.run();
      return;
    }
    try {
      CompletionStage<Map<K, V>> stale =
          guard.within(timeOutNanos, timed.stale(failed, lanes.answers().codecs()), null);
      lanes
          .failures()
          .then(
              stale,
              (values, error) -> {
                load.stale = values == null ? Map.of() : values;
                end.run();
              });
    } catch (Throwable e) {
      end.run();
    }
  }

  /** Whether the store with the expired values is in this process. */
  boolean areHere() {
    return local && timed != null;
  }

  /** Expired values for an answer, from a store in this process; never waits. */
  Map<K, V> here(List<K> keys) {
    try {
      return areHere()
          ? timed.stale(keys, Runnable::run).toCompletableFuture().getNow(Map.of())
          : Map.of();
    } catch (Throwable e) {
      return Map.of();
    }
  }
}
