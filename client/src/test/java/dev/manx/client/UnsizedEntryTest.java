/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.LruStore;
import dev.manx.client.store.StoreFactory;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries that the application's sizer cannot size. */
@Timeout(60)
class UnsizedEntryTest {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneDoesNotSpoilItsBatch(boolean caffeine) {
    StoreFactory stores = caffeine ? CaffeineStore.factory() : LruStore.factory();
    Scripted songs = new Scripted();
    try (FanoutCache cache = FanoutCache.builder().drivenByHost().stores(stores).open()) {
      Backend<Integer, String> backend =
          cache.add(
              BackendSpec.of(
                  "songs",
                  (Integer key, String value) -> {
                    if (key == 3) {
                      throw new IllegalStateException("no size");
                    }
                    return 10;
                  },
                  songs));
      CompletableFuture<?> all =
          cache.request().query(backend, IntStream.range(0, 100).boxed().toList());
      songs.last().answerAll();
      assertThat(all).isCompleted();
      assertThat(backend.stats().notKept()).isEqualTo(1);
      CompletableFuture<?> again =
          cache.request().query(backend, IntStream.range(0, 100).boxed().toList());
      assertThat(again).isNotDone();
      assertThat(songs.last().keys()).containsExactly(3);
    }
  }
}
