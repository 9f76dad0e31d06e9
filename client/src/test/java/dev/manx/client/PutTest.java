/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Puts, look-ups and invalidations outside requests. */
@Timeout(60)
class PutTest {
  private final Scripted songs = new Scripted();
  private FanoutCache cache;

  @AfterEach
  void close() {
    cache.close();
  }

  private Backend<Integer, String> open(boolean local) {
    FanoutCacheBuilder builder = FanoutCache.builder().drivenByHost();
    if (!local) {
      builder.stores(Elsewhere.factory(Runnable::run));
    }
    cache = builder.open();
    return cache.add(BackendSpec.of("songs", (k, v) -> 10, songs));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPutValueIsFoundAndOlderLoadsDoNotOverwriteIt(boolean local) {
    Backend<Integer, String> backend = open(local);
    CompletableFuture<String> reading = cache.request().queryOne(backend, 1);
    assertThat(backend.put(1, "written")).isCompleted();
    songs.last().answerAll();
    assertThat(reading).isCompletedWithValue("v1");
    assertThat(cache.request().queryOne(backend, 1)).isCompletedWithValue("written");
    assertThat(backend.getIfPresent(1)).isCompletedWithValue("written");
    assertThat(backend.getIfPresent(2)).isCompletedWithValue(null);
    assertThat(backend.stats().misses()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void severalPutValuesAreFoundAndOlderLoadsDoNotOverwriteThem(boolean local) {
    Backend<Integer, String> backend = open(local);
    CompletableFuture<?> reading = cache.request().query(backend, List.of(1, 2, 3));
    Map<Integer, String> written = new HashMap<>(Map.of(1, "one", 2, "two"));
    CompletionStage<Void> put = backend.putAll(written);
    written.put(1, "changed after the call");
    assertThat(put).isCompleted();
    songs.last().answerAll();
    assertThat(reading).isCompleted();
    assertThat(cache.request().query(backend, List.of(1, 2, 3)))
        .isCompletedWithValue(Map.of(1, "one", 2, "two", 3, "v3"));
    assertThat(songs.calls).hasSize(1);
    assertThat(backend.putAll(Map.of())).isCompleted();
    assertThat(backend.getIfPresent(3)).as("nothing is put").isCompletedWithValue("v3");
  }

  /** None of a map is put if one of its keys or values is null. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNullAmongSeveralIsAFailedStage(boolean local) {
    Backend<Integer, String> backend = open(local);
    Map<Integer, String> nullKey = new HashMap<>(Map.of(1, "one"));
    nullKey.put(null, "none");
    Map<Integer, String> nullValue = new HashMap<>(Map.of(1, "one"));
    nullValue.put(2, null);
    for (var stage :
        List.of(backend.putAll(null), backend.putAll(nullKey), backend.putAll(nullValue))) {
      assertThat(stage.toCompletableFuture())
          .failsWithin(java.time.Duration.ZERO)
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(NullPointerException.class);
    }
    assertThat(backend.getIfPresent(1)).isCompletedWithValue(null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nullsAreFailedStages(boolean local) {
    Backend<Integer, String> backend = open(local);
    for (var stage :
        List.of(backend.put(null, "v"), backend.put(1, null), backend.getIfPresent(null))) {
      assertThat(stage.toCompletableFuture())
          .failsWithin(java.time.Duration.ZERO)
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(NullPointerException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everythingIsForgottenAndLoadsUnderWayAreNotKept(boolean local) {
    Backend<Integer, String> backend = open(local);
    assertThat(backend.put(1, "one")).isCompleted();
    CompletableFuture<String> reading = cache.request().queryOne(backend, 2);
    assertThat(backend.invalidateAll()).isCompleted();
    songs.last().answerAll();
    assertThat(reading).isCompletedWithValue("v2");
    assertThat(backend.getIfPresent(1)).isCompletedWithValue(null);
    assertThat(backend.getIfPresent(2)).isCompletedWithValue(null);
    assertThat(backend.put(3, "three")).isCompleted();
    assertThat(backend.getIfPresent(3)).isCompletedWithValue("three");
  }
}
