/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.LocalStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Values of a local store that are found while their keys are being invalidated. */
class LocalInvalidationTest {
  /** Has an old value at the second look-up, and runs an action during an invalidation. */
  private static final class Busy<K, V> implements LocalStore<K, V> {
    private Runnable meanwhile = () -> {};
    private boolean forgotten;
    private int looks;

    @Override
    @SuppressWarnings("unchecked")
    public V get(K key) {
      return key.equals(1) && !forgotten && looks++ > 0 ? (V) "old" : null;
    }

    @Override
    public void put(K key, V value) {}

    @Override
    public void invalidate(K key) {
      meanwhile.run();
      forgotten = true;
    }

    @Override
    public CompletionStage<Void> clear() {
      forgotten = true;
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

  /**
   * A query that found the old value waits for another key; no query may join it for the first key.
   */
  @Test
  void valuesFoundBeforeAnInvalidationAreNotHandedOnAfterIt() {
    Busy<Object, Object> store = new Busy<>();
    Scripted songs = new Scripted();
    StoreFactory stores =
        new StoreFactory() {
          @Override
          @SuppressWarnings("unchecked")
          public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
            return (Store<K, V>) store;
          }
        };
    try (FanoutCache cache = FanoutCache.builder().drivenByHost().stores(stores).open();
        FanoutRequest request = cache.request()) {
      Backend<Integer, String> backend =
          cache.add(BackendSpec.<Integer, String>of("songs", (k, v) -> 32, songs));
      store.meanwhile = () -> request.query(backend, List.of(1, 2));
      assertThat(backend.invalidate(List.of(1))).isCompleted();
      assertThat(songs.last().keys()).containsExactly(2);

      CompletableFuture<Map<Integer, String>> after = request.query(backend, List.of(1));
      assertThat(songs.last().keys()).as("asked anew").containsExactly(1);
      songs.calls.forEach(Scripted.Call::answerAll);
      assertThat(after).isCompletedWithValue(Map.of(1, "v1"));
    }
  }
}
