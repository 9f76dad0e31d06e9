/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.LruStore;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.policy.config.ConfigNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that no share of this size can hold; otherwise an operator would see only misses. */
@Timeout(60)
class TooLargeTest {
  @ParameterizedTest
  @MethodSource("dev.manx.client.UnsizedEntryTest#stores")
  void theyAreCounted(StoreFactory stores, boolean shared, Freshness freshness) {
    Scripted songs = new Scripted();
    FanoutCacheBuilder builder =
        FanoutCache.builder()
            .capacity(1 << 20)
            .drivenByHost()
            .stores(stores)
            .configure(
                ConfigNode.parse(
                    "settings", "policy: " + (shared ? "cache.shared" : "cache.robinhood")));
    try (FanoutCache cache = builder.open()) {
      Backend<Integer, String> backend =
          cache.add(
              BackendSpec.<Integer, String>of(
                      "songs", (key, value) -> key == 1 ? 2 << 20 : 10, songs)
                  .with(BackendSettings.DEFAULTS.withFreshness(freshness)));
      for (int load = 1; load <= 3; load++) {
        CompletableFuture<?> both = cache.request().query(backend, List.of(1, 2));
        songs.last().answerAll();
        assertThat(both).isCompleted();
        assertThat(backend.stats().tooLarge()).isEqualTo(load);
      }
      assertThat(songs.last().keys()).containsExactly(1);
      assertThat(backend.put(1, "v")).isCompleted();
      assertThat(backend.stats().tooLarge()).isEqualTo(4);
      assertThat(backend.stats().notKept()).as("nothing failed").isZero();
    }
  }

  static Stream<StoreFactory> factories() {
    return Stream.of(CaffeineStore.factory(), LruStore.factory());
  }

  @ParameterizedTest
  @MethodSource("factories")
  void evictedAndRejectedValuesHadNoRoom(StoreFactory stores) {
    try (LocalStore<Integer, String> store =
        (LocalStore<Integer, String>)
            stores.<Integer, String>open(
                new StoreSpec<>("songs", 5_000, (key, value) -> 1_000, Optional.empty()))) {
      for (int key = 0; key < 4; key++) {
        store.put(key, "value");
      }
      store.invalidate(0);
      assertThat(store.withoutRoom()).isZero();
      for (int key = 4; key < 14; key++) {
        store.put(key, "value");
      }
      assertThat(store.withoutRoom()).as("four of 13 remain").isEqualTo(9);
      assertThat(store.resize(2_500)).isCompleted();
      assertThat(store.withoutRoom()).isEqualTo(11);
      assertThat(store.resize(500)).isCompleted();
      store.put(14, "value");
      assertThat(store.withoutRoom()).isGreaterThanOrEqualTo(14);
    }
  }

  @ParameterizedTest
  @MethodSource("factories")
  void thePresentShareDecides(StoreFactory stores) {
    try (LocalStore<Integer, String> store =
        (LocalStore<Integer, String>)
            stores.<Integer, String>open(
                new StoreSpec<>("songs", 2_000, (key, value) -> 1_000, Optional.empty()))) {
      store.put(1, "one");
      assertThat(store.tooLarge()).isZero();
      assertThat(store.resize(900)).isCompleted();
      assertThat(store.tooLarge()).as("it was stored").isZero();
      store.put(1, "one");
      assertThat(store.tooLarge()).isEqualTo(1);
      assertThat(store.resize(2_000)).isCompleted();
      store.put(1, "one");
      assertThat(store.tooLarge()).isEqualTo(1);
      assertThat(store.get(1)).isEqualTo("one");
    }
  }
}
