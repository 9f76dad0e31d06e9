/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.measure.MeasuredStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreException;
import dev.manx.client.timer.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Writes of one backend to its remote store. Values and invalidations of a key are sent in order,
 * each after the answer to the previous one. Thread-safe.
 */
final class RemoteWrites<K, V> {
  private final Store<K, V> store;
  private final Store<K, V> unasked;
  private final TimedStore<K, V> aging;
  private final BackendCounters counters;
  private final Timer timer;
  private final long timeOutNanos;
  private final Executor threads;
  private final Puts<K> puts = new Puts<>();

  /**
   * @param timeOutNanos after this time a put counts as given up
   * @param threads executor that sends writes delayed by an earlier answer
   */
  RemoteWrites(
      Store<K, V> store,
      BackendCounters counters,
      Timer timer,
      long timeOutNanos,
      Executor threads) {
    this.store = store;
    this.unasked = MeasuredStore.unasked(store);
    this.aging = store instanceof TimedStore<K, V> timed ? timed : null;
    this.counters = counters;
    this.timer = timer;
    this.timeOutNanos = timeOutNanos;
    this.threads = threads;
  }

  /**
   * Sends the values of a load.
   *
   * @param owned returns the values that the load may store; adds to its argument the keys that the
   *     backend no longer has
   */
  void keep(LoaderCall<K, V> load, Function<List<K>, Map<K, V>> owned) {
    // Values of the same keys that are being sent arrive first.
    CompletableFuture<Void> earlier = puts.end(load.keys);
    // Registered before a key is read: an invalidation either takes the key away first, or
    // waits.
    Puts.Put<K> put = puts.begin(load.keys);
    CompletionStage<?> sent = CompletableFuture.completedFuture(null);
    try {
      List<K> gone = new ArrayList<>();
      Map<K, V> values = owned.apply(gone);
      if (!gone.isEmpty() || !values.isEmpty()) {
        sent =
            after(
                earlier,
                () -> {
                  drop(gone);
                  return send(values, load);
                });
      }
    } finally {
      sent.whenComplete((done, error) -> put.end());
    }
  }

  private void drop(List<K> keys) {
    try {
      if (!keys.isEmpty()) {
        store.drop(keys);
      }
    } catch (Throwable e) {
      counters.lookUpFailures.increment();
    }
  }

  /**
   * Sends values. Stores bound their own waiting; the time-out here holds even if a store does not.
   *
   * @param load load whose values they are; null: the application's
   */
  private CompletionStage<Void> send(Map<K, V> values, LoaderCall<K, V> load) {
    if (values.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    try {
      boolean asked = load != null && !load.again;
      CompletionStage<Void> put =
          aging == null
              ? (asked ? store : unasked).putAll(values)
              : aging.putAll(values, load == null ? aging.nanoTime() : load.begunNanos(), asked);
      return timer.within(timeOutNanos, put.handle((done, error) -> (Void) null), null);
    } catch (Throwable e) {
      counters.notKept(values.size(), e);
      return CompletableFuture.completedFuture(null);
    }
  }

  /** Runs at once, or after earlier writes have ended; then on a thread that may run a codec. */
  private <T> CompletionStage<T> after(
      CompletableFuture<?> earlier, Supplier<CompletionStage<T>> next) {
    // An exception of a store fails the stage: a registered put must end.
    return earlier.isDone()
        ? earlier.thenCompose(done -> next.get())
        : earlier.thenComposeAsync(done -> next.get(), threads);
  }

  /** Sends values that the application knows. */
  CompletionStage<Void> put(Map<K, V> values) {
    CompletableFuture<Void> earlier = puts.end(values.keySet());
    Puts.Put<K> put = puts.begin(values.keySet());
    // If the put is given up, the previous value must not be found.
    CompletionStage<Void> forgotten = after(earlier, () -> store.invalidateAll(values.keySet()));
    CompletionStage<?> sent = after(forgotten.toCompletableFuture(), () -> send(values, null));
    return sent.handle(
        (done, error) -> {
          put.end();
          if (error != null) {
            throw new StoreException("the previous value may still be found", error);
          }
          return null;
        });
  }

  /** Removes keys. */
  CompletionStage<Void> invalidate(List<? extends K> keys) {
    return after(puts.end(keys), () -> store.invalidateAll(keys));
  }

  /** Removes all keys. */
  CompletionStage<Void> invalidateAll() {
    // Values being sent arrive first.
    return puts.endAll().thenCompose(done -> store.clear());
  }
}
