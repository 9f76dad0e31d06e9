/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.store.Store;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that counts as remote, keeps nothing and answers at once; tests override parts. */
class EmptyStore<K, V> implements Store<K, V> {
  @Override
  public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
    return CompletableFuture.completedFuture(Map.of());
  }

  @Override
  public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> clear() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Long> resize(long bytes) {
    return CompletableFuture.completedFuture(bytes);
  }

  @Override
  public long allocatedBytes() {
    return 0;
  }

  @Override
  public long usedBytes() {
    return 0;
  }

  @Override
  public void close() {}
}
