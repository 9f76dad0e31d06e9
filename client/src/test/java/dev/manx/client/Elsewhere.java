/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.store.Codec;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.LruStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * A store that counts as remote: look-ups of many keys, later answers, and no report of evictions.
 * With a codec it makes new values for each look-up, as a store of bytes does.
 */
final class Elsewhere<K, V> implements Store<K, V> {
  private final LocalStore<K, V> there;
  private final Optional<Codec<K, V>> codec;
  private final Executor executor;

  private Elsewhere(Store<K, V> there, Optional<Codec<K, V>> codec, Executor executor) {
    this.there = (LocalStore<K, V>) there;
    this.codec = codec;
    this.executor = executor;
  }

  /**
   * Opens such stores.
   *
   * @param executor runs their operations
   */
  static StoreFactory factory(Executor executor) {
    return new StoreFactory() {
      @Override
      public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
        return new Elsewhere<>(LruStore.factory().open(spec), spec.codec(), executor);
      }
    };
  }

  @Override
  public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
    return later().thenCompose(now -> there.getAll(keys)).thenApply(this::madeAnew);
  }

  private Map<K, V> madeAnew(Map<K, V> found) {
    Map<K, V> values = new HashMap<>(found);
    codec.ifPresent(c -> values.replaceAll((key, value) -> c.decode(key, c.encode(value))));
    return values;
  }

  @Override
  public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
    return later().thenCompose(now -> there.putAll(entries));
  }

  @Override
  public CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
    return later().thenCompose(now -> there.invalidateAll(keys));
  }

  @Override
  public CompletionStage<Void> clear() {
    return later().thenCompose(now -> there.clear());
  }

  private CompletableFuture<Void> later() {
    return CompletableFuture.runAsync(() -> {}, executor);
  }

  @Override
  public CompletionStage<Long> resize(long bytes) {
    return there.resize(bytes);
  }

  @Override
  public long allocatedBytes() {
    return there.allocatedBytes();
  }

  @Override
  public long usedBytes() {
    return there.usedBytes();
  }

  @Override
  public void close() {
    there.close();
  }
}
