/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and loaders that throw an Error on the cache's own threads affect nothing else. */
@Timeout(60)
class ErrorsOfKeysTest {
  private final ManualClock clock = new ManualClock();
  private final FanoutCache cache = FanoutCache.builder().drivenByHost().clock(clock).open();
  private final BlockingQueue<Key> called = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    cache.close();
  }

  /**
   * A key that cannot be hashed, or compared, on some of the cache's threads.
   *
   * @param threads prefix of the threads' names
   */
  private record Key(int id, String threads, boolean byEquals) {
    static Key good(int id) {
      return new Key(id, "none", false);
    }

    private void fail() {
      if (Thread.currentThread().getName().startsWith(threads)) {
        throw new AssertionError("key " + id);
      }
    }

    @Override
    public int hashCode() {
      if (!byEquals) {
        fail();
      }
      // The same for all, so that they are compared.
      return 1;
    }

    @Override
    public boolean equals(Object other) {
      if (byEquals) {
        fail();
      }
      return other instanceof Key key && id == key.id && Objects.equals(threads, key.threads);
    }
  }

  private Backend<Key, String> add(Duration timeOut, Loader<Key, String> loader) {
    return cache.add(
        BackendSpec.<Key, String>of("songs", (k, v) -> 10, loader)
            .with(
                BackendSettings.DEFAULTS
                    .withTimeOut(timeOut)
                    .withFreshness(
                        Freshness.timeToLive(Duration.ofHours(1))
                            .withRefreshAfter(Duration.ofMinutes(1))
                            .withStaleIfError(Duration.ofHours(1)))));
  }

  private CompletionStage<Map<Key, String>> answer(List<Key> keys) {
    called.addAll(keys);
    // A refresh without a value would remove the test's put.
    Map<Key, String> values = new HashMap<>();
    keys.forEach(key -> values.put(key, "old"));
    return CompletableFuture.completedFuture(values);
  }

  private void refresh(Backend<Key, String> backend, Key key) {
    assertThat(backend.put(key, "old")).isCompleted();
    clock.pass(Duration.ofMinutes(2));
    assertThat(cache.request().queryOne(backend, key)).isCompletedWithValue("old");
  }

  private void untilRefreshed(Backend<Key, String> backend, Key key) throws Exception {
    // A refresh of both keys may fail; they are then due again.
    do {
      refresh(backend, key);
    } while (!key.equals(called.poll(50, TimeUnit.MILLISECONDS)));
  }

  @ParameterizedTest
  @CsvSource({"manx-guard,false", "manx-load,false", "manx-guard,true", "manx-load,true"})
  void refreshesGoOnAfterAKeyThatFails(String threads, boolean byEquals) throws Exception {
    Backend<Key, String> backend = add(Duration.ofSeconds(1), this::answer);
    refresh(backend, new Key(1, threads, byEquals));
    untilRefreshed(backend, Key.good(2));
  }

  /** Its load is in progress; its hashCode fails where everything is invalidated. */
  @Test
  void aKeyThatFailsDoesNotKeepTheOthersFromBeingInvalidated() throws Exception {
    Backend<Key, String> backend = add(Duration.ofMinutes(1), keys -> new CompletableFuture<>());
    assertThat(backend.put(Key.good(2), "old")).isCompleted();
    CompletableFuture<?> waits =
        cache.request().queryOne(backend, new Key(1, "invalidates", false));
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () ->
                backend
                    .invalidateAll()
                    .whenComplete(
                        (nothing, failure) -> {
                          if (failure == null) {
                            done.complete(null);
                          } else {
                            done.completeExceptionally(failure);
                          }
                        }),
            "invalidates");
    thread.start();
    assertThat(done).succeedsWithin(Duration.ofSeconds(20));
    assertThat(backend.getIfPresent(Key.good(2))).isCompletedWithValue(null);
    assertThat(waits).isNotDone();
  }

  @Test
  void refreshesGoOnAfterALoaderThatFails() throws Exception {
    Backend<Key, String> backend =
        add(
            Duration.ofSeconds(1),
            keys -> {
              if (keys.get(0).id == 1) {
                throw new AssertionError("of the loader");
              }
              return answer(keys);
            });
    refresh(backend, Key.good(1));
    untilRefreshed(backend, Key.good(2));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aQueryOfAKeyThatFailsTimesOut(boolean byEquals) {
    Backend<Key, String> backend = add(Duration.ofMillis(50), keys -> new CompletableFuture<>());
    CompletableFuture<String> answer =
        cache.request().queryOne(backend, new Key(1, "manx-timer", byEquals));
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
  }

  /** The failure of such a key cannot be stored under it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aQueryForEachKeyEndsThoughAKeyFails(boolean byEquals) {
    Backend<Key, String> backend = add(Duration.ofMillis(50), keys -> new CompletableFuture<>());
    List<Key> keys = List.of(Key.good(1), new Key(2, "manx-timer", byEquals));
    CompletableFuture<?> answer = cache.request().queryEach(backend, keys);
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(AssertionError.class);
    assertThat(backend.stats().pending()).isZero();
  }

  /** Its load could not be taken out of those in progress, and would have answered for ever. */
  @Test
  void aKeyThatFailedWhenItsAnswerCameIsLoadedAgain() throws Exception {
    CompletableFuture<Map<Key, String>> there = new CompletableFuture<>();
    Backend<Key, String> backend =
        add(Duration.ofMinutes(1), keys -> called.addAll(keys) ? there : null);
    Key key = new Key(1, "answers", false);
    CompletableFuture<?> first = cache.request().queryOne(backend, key);
    Thread answers =
        new Thread(() -> there.completeExceptionally(new AssertionError("down")), "answers");
    answers.start();
    answers.join();
    assertThat(first).isCompletedExceptionally();
    assertThat(cache.request().queryOne(backend, key)).isCompletedExceptionally();
    assertThat(called).hasSize(2);
    assertThat(cache.request().queryOne(backend, key)).isCompletedExceptionally();
    assertThat(called).hasSize(3);
  }

  /** A key whose hash fails once another key of its query has been claimed for a load. */
  private record Claiming(int id, Runnable claimed) {
    @Override
    public int hashCode() {
      claimed.run();
      return id;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Claiming key && id == key.id;
    }
  }

  @Test
  void aKeyThatFailsAffectsNoQueryThatWaitsForOthersOfItsLoad() {
    AtomicReference<Backend<Claiming, String>> songs = new AtomicReference<>();
    AtomicReference<CompletableFuture<String>> joined = new AtomicReference<>();
    Claiming good = new Claiming(1, () -> {});
    Claiming bad =
        new Claiming(
            2,
            () -> {
              if (songs.get().loads().keysInFlight() == 1) {
                joined.set(cache.request().queryOne(songs.get(), good));
                throw new AssertionError("no hash");
              }
            });
    songs.set(
        cache.add(
            BackendSpec.<Claiming, String>of(
                    "songs",
                    (k, v) -> 10,
                    keys -> CompletableFuture.completedFuture(Map.of(good, "v" + keys.size())))
                .with(ScriptedCache.PATIENT)));
    assertThat(cache.request().query(songs.get(), List.of(good, bad))).isCompletedExceptionally();
    assertThat(joined.get()).isCompletedWithValue("v1");
    assertThat(songs.get().loads().keysInFlight()).isZero();
  }

  @Test
  void aQueryOfAKeyThatFailsWhenItsAnswerComesIsAnswered() throws Exception {
    CompletableFuture<Map<Key, String>> there = new CompletableFuture<>();
    Backend<Key, String> backend = add(Duration.ofMinutes(1), keys -> there);
    CompletableFuture<?> answer =
        cache.request().query(backend, List.of(Key.good(1), new Key(2, "answers", false)));
    Thread answers =
        new Thread(() -> there.completeExceptionally(new AssertionError("down")), "answers");
    answers.start();
    answers.join();
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(AssertionError.class);
  }
}
