/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.LruStore;
import dev.manx.client.store.StoreFactory;
import dev.manx.policy.config.ConfigNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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
                    return key == 5 ? -1 : 10;
                  },
                  songs));
      CompletableFuture<?> all =
          cache.request().query(backend, IntStream.range(0, 100).boxed().toList());
      songs.last().answerAll();
      assertThat(all).isCompleted();
      assertThat(backend.stats().notKept()).isEqualTo(2);
      CompletableFuture<?> again =
          cache.request().query(backend, IntStream.range(0, 100).boxed().toList());
      assertThat(songs.last().keys()).containsExactly(3, 5);
    }
  }

  /** Otherwise a cache that keeps nothing at all would only look slow. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whyItIsNotKeptIsLoggedButNotEachTime(boolean byExpiry) {
    Scripted songs = new Scripted();
    PrintStream before = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try (FanoutCache cache = FanoutCache.builder().drivenByHost().open()) {
      BackendSpec<Integer, String> spec =
          BackendSpec.of("songs", (key, value) -> byExpiry ? 10 : failing().toNanos(), songs);
      Backend<Integer, String> backend =
          cache.add(byExpiry ? spec.with((Integer key, String value) -> failing()) : spec);
      CompletableFuture<?> all = cache.request().query(backend, List.of(1, 2, 3));
      songs.last().answerAll();
      assertThat(all).isCompleted();
      assertThat(backend.stats().notKept()).isEqualTo(3);
    } finally {
      System.setErr(before);
    }
    assertThat(logged.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("values of backend songs are not cached")
        .containsOnlyOnce("IllegalStateException: asked to fail");
  }

  private static Duration failing() {
    throw new IllegalStateException("asked to fail");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneThatCannotBeMeasuredLaterIsAnswered(boolean caffeine) {
    StoreFactory stores = caffeine ? CaffeineStore.factory() : LruStore.factory();
    Scripted songs = new Scripted();
    AtomicBoolean fails = new AtomicBoolean();
    try (FanoutCache cache = FanoutCache.builder().drivenByHost().stores(stores).open()) {
      Backend<Integer, String> backend =
          cache.add(
              BackendSpec.of(
                  "songs",
                  (Integer key, String value) -> {
                    if (fails.get()) {
                      throw new AssertionError("no size");
                    }
                    return 10;
                  },
                  songs));
      List<Integer> keys = IntStream.range(0, 100).boxed().toList();
      CompletableFuture<?> all = cache.request().query(backend, keys);
      songs.last().answerAll();
      assertThat(all).isCompleted();
      fails.set(true);
      assertThat(cache.request().query(backend, keys)).isCompleted();
      assertThat(songs.calls).hasSize(1);
    }
  }

  /** With overflowing sums such an entry would weigh less than its overhead. */
  @ParameterizedTest
  @MethodSource("stores")
  void theLargestSizeIsTooLarge(StoreFactory stores, boolean shared, Freshness freshness) {
    Scripted songs = new Scripted();
    FanoutCacheBuilder builder =
        FanoutCache.builder()
            .drivenByHost()
            .stores(stores)
            .configure(
                ConfigNode.parse(
                    "settings",
                    "{ policy: { policy: " + (shared ? "cache.shared" : "cache.static") + " } }"));
    try (FanoutCache cache = builder.open()) {
      Backend<Integer, String> backend =
          cache.add(
              BackendSpec.<Integer, String>of("songs", (key, value) -> Long.MAX_VALUE - key, songs)
                  .with(BackendSettings.DEFAULTS.withFreshness(freshness)));
      List<Integer> keys = IntStream.range(0, 200).boxed().toList();
      CompletableFuture<?> all = cache.request().query(backend, keys);
      songs.last().answerAll();
      assertThat(all).isCompleted();
      assertThat(backend.stats().usedBytes()).isZero();
      CompletableFuture<?> again = cache.request().query(backend, keys);
      assertThat(songs.last().keys()).isEqualTo(keys);
    }
  }

  static Stream<Arguments> stores() {
    Freshness aMinute = Freshness.timeToLive(Duration.ofMinutes(1));
    return Stream.of(CaffeineStore.factory(), LruStore.factory())
        .flatMap(
            stores ->
                Stream.of(
                    Arguments.of(stores, false, Freshness.FOREVER),
                    Arguments.of(stores, false, aMinute),
                    Arguments.of(stores, true, Freshness.FOREVER),
                    Arguments.of(stores, true, aMinute)));
  }
}
