/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.measure;

import dev.manx.client.store.LocalStore;
import dev.manx.client.store.Store;
import dev.manx.shares.MissCurve;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/** A store that reports its queries to a {@link ShareMeter} and delegates to another store. */
public class MeasuredStore<K, V> implements Store<K, V> {
  private final Store<K, V> store;
  final ShareMeter<K, V> meter;

  MeasuredStore(Store<K, V> store, ShareMeter<K, V> meter) {
    this.store = store;
    this.meter = meter;
  }

  /**
   * The store without its measurements, for look-ups that are not demand, because no load follows a
   * miss.
   */
  public static <K, V> Store<K, V> unmeasured(Store<K, V> store) {
    return store instanceof MeasuredStore<K, V> measured ? measured.store : store;
  }

  /**
   * The answer of an entry of a store in this process, or null; only an answer is a hit. An entry
   * without an answer, because it has expired, counts when its successor is stored.
   */
  public static <K, V, T> T get(LocalStore<K, V> store, K key, BiFunction<K, V, T> answer) {
    if (!(store instanceof Local<K, V> measured)) {
      V value = store.get(key);
      return value == null ? null : answer.apply(key, value);
    }
    V value = measured.local.get(key);
    if (value == null) {
      measured.meter.missed(key);
      return null;
    }
    T given = answer.apply(key, value);
    if (given != null) {
      measured.meter.found(key, value);
    }
    return given;
  }

  /**
   * The answers of entries, as {@link #get(LocalStore, Object, BiFunction)}, for several keys and
   * any store.
   */
  public static <K, V, T> CompletionStage<Map<K, T>> getAll(
      Store<K, V> store,
      Collection<? extends K> keys,
      Executor codecs,
      BiFunction<K, V, T> answer) {
    MeasuredStore<K, V> measured = store instanceof MeasuredStore<K, V> m ? m : null;
    return unmeasured(store)
        .getAll(keys, codecs)
        .thenApply(
            found -> {
              Map<K, T> answers = new HashMap<>();
              found.forEach(
                  (key, value) -> {
                    T given = answer.apply(key, value);
                    if (given != null) {
                      answers.put(key, given);
                      if (measured != null) {
                        measured.meter.found(key, value);
                      }
                    }
                  });
              if (measured != null) {
                measured.missing(keys, found);
              }
              return answers;
            });
  }

  private void missing(Collection<? extends K> keys, Map<K, V> found) {
    keys.stream().filter(key -> !found.containsKey(key)).forEach(meter::missed);
  }

  /**
   * The store for values that no query waits for, from a refresh or from the application. They are
   * not counted as queries.
   */
  public static <K, V> Store<K, V> unasked(Store<K, V> store) {
    return store instanceof MeasuredStore<K, V> measured ? measured.unasked() : store;
  }

  /** The same as {@link #unasked(Store)}, for a store in this process. */
  public static <K, V> LocalStore<K, V> unaskedLocal(LocalStore<K, V> store) {
    return store instanceof Local<K, V> measured ? measured.unasked() : store;
  }

  MeasuredStore<K, V> unasked() {
    return new MeasuredStore<>(store, meter.unasked());
  }

  /** The present miss curve of the share; null if not measured. */
  public final MissCurve missCurve() {
    return meter.curve();
  }

  @Override
  public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
    return getAll(keys, Runnable::run);
  }

  @Override
  public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys, Executor codecs) {
    return store
        .getAll(keys, codecs)
        .whenComplete(
            (found, error) -> {
              if (found != null) {
                found.forEach(meter::found);
                missing(keys, found);
              }
            });
  }

  @Override
  public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
    entries.forEach(meter::keeps);
    return store.putAll(entries);
  }

  @Override
  public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries, Duration expiry) {
    entries.forEach(meter::keeps);
    return store.putAll(entries, expiry);
  }

  @Override
  public final CompletionStage<Void> clear() {
    meter.forgetAll();
    return store.clear();
  }

  @Override
  public CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
    keys.forEach(meter::forget);
    return store.invalidateAll(keys);
  }

  @Override
  public final void drop(Collection<? extends K> keys) {
    keys.forEach(meter::forget);
    store.drop(keys);
  }

  @Override
  public final CompletionStage<Long> resize(long bytes) {
    return store.resize(bytes);
  }

  @Override
  public final long allocatedBytes() {
    return store.allocatedBytes();
  }

  @Override
  public final long usedBytes() {
    return store.usedBytes();
  }

  @Override
  public final long overheadBytes() {
    return store.overheadBytes();
  }

  @Override
  public final long minimumBytes() {
    return store.minimumBytes();
  }

  @Override
  public final long pageBytes() {
    return store.pageBytes();
  }

  @Override
  public final boolean isDegraded() {
    return store.isDegraded();
  }

  @Override
  public final long failures() {
    return store.failures();
  }

  @Override
  public final long emptied() {
    return store.emptied();
  }

  @Override
  public final long tooLarge() {
    return store.tooLarge();
  }

  @Override
  public final long withoutRoom() {
    return store.withoutRoom();
  }

  @Override
  public final void close() {
    store.close();
  }

  @Override
  public final CompletionStage<Void> left() {
    return store.left();
  }

  /** A measured store in this process. */
  static final class Local<K, V> extends MeasuredStore<K, V> implements LocalStore<K, V> {
    private final LocalStore<K, V> local;

    Local(LocalStore<K, V> local, ShareMeter<K, V> meter) {
      super(local, meter);
      this.local = local;
    }

    @Override
    Local<K, V> unasked() {
      return new Local<>(local, meter.unasked());
    }

    @Override
    public V get(K key) {
      V value = local.get(key);
      if (value == null) {
        meter.missed(key);
      } else {
        meter.found(key, value);
      }
      return value;
    }

    @Override
    public void put(K key, V value) {
      meter.keeps(key, value);
      local.put(key, value);
    }

    @Override
    public void invalidate(K key) {
      meter.forget(key);
      local.invalidate(key);
    }

    @Override
    public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
      return LocalStore.super.getAll(keys);
    }

    @Override
    public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
      return LocalStore.super.putAll(entries);
    }

    @Override
    public CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
      return LocalStore.super.invalidateAll(keys);
    }
  }
}
