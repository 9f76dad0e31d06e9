/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.measure.MeasuredStore;
import dev.manx.client.store.LocalStore;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/** A store in this process whose entries age. */
final class LocalTimedStore<K, V> extends TimedStore<K, V> implements LocalStore<K, V> {
  private final LocalStore<K, Timed<V>> local;
  private final LocalStore<K, Timed<V>> unasked;
  private final BiFunction<K, Timed<V>, V> answer = this::fresh;

  LocalTimedStore(LocalStore<K, Timed<V>> local, Times<K, V> times) {
    super(local, times);
    this.local = local;
    this.unasked = MeasuredStore.unaskedLocal(local);
  }

  @Override
  boolean claimRefresh(K key, Timed<V> timed, long now) {
    return timed.claimRefresh(now, againNanos());
  }

  @Override
  public V get(K key) {
    return MeasuredStore.get(local, key, answer);
  }

  @Override
  public void put(K key, V value) {
    put(key, value, nanoTime(), true);
  }

  /**
   * Stores a value.
   *
   * @param since when its times begin
   * @param asked whether a query waits for it
   */
  void put(K key, V value, long since, boolean asked) {
    Timed<V> timed = timed(key, value, since);
    if (timed == null) {
      local.invalidate(key);
    } else {
      (asked ? local : unasked).put(key, timed);
    }
  }

  @Override
  public void invalidate(K key) {
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
