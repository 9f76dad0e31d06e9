/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.reactor;

import dev.manx.client.store.LruStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A store that answers on another thread, like a remote store. */
final class AsyncStore<K, V> implements Store<K, V> {
  private final Store<K, V> there;
  private final Executor network;

  private AsyncStore(Store<K, V> there, Executor network) {
    this.there = there;
    this.network = network;
  }

  static StoreFactory factory(Executor network) {
    return new StoreFactory() {
      @Override
      public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
        return new AsyncStore<>(LruStore.factory().open(spec), network);
      }
    };
  }

  @Override
  public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
    return CompletableFuture.runAsync(() -> {}, network).thenCompose(now -> there.getAll(keys));
  }

  @Override
  public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
    return there.putAll(entries);
  }

  @Override
  public CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
    return there.invalidateAll(keys);
  }

  @Override
  public CompletionStage<Void> clear() {
    return there.clear();
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
