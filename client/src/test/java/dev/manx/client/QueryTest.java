/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The guarantees of queries, step by step with scripted backends. */
// Often only the counters matter, not the answer.
@SuppressWarnings("FutureReturnValueIgnored")
@Timeout(60)
class QueryTest extends ScriptedCache {
  @Test
  void missesAreLoadedOnceAndThenHit() throws Exception {
    Backend<Integer, String> backend = add("songs", songs);
    try (FanoutRequest request = cache.request()) {
      CompletableFuture<Map<Integer, String>> first = request.query(backend, List.of(1, 2, 2));
      assertThat(first).isNotDone();
      assertThat(songs.last().keys()).containsExactly(1, 2);
      songs.last().answerAll();
      assertThat(first.get()).containsOnly(Map.entry(1, "v1"), Map.entry(2, "v2"));

      CompletableFuture<Map<Integer, String>> second = request.query(backend, List.of(2, 3));
      assertThat(songs.last().keys()).containsExactly(3);
      songs.last().answerAll();
      assertThat(second.get()).containsOnlyKeys(2, 3);
      assertThat(request.query(backend, List.of(1, 2, 3)))
          .isCompletedWithValueMatching(m -> m.size() == 3);
      assertThat(request.queryOne(backend, 1)).isCompletedWithValue("v1");
    }
    BackendStats stats = backend.stats();
    assertThat(stats.hits()).isEqualTo(5);
    assertThat(stats.misses()).isEqualTo(3);
    assertThat(stats.hitRatio()).isEqualTo(5 / 8.0);
    assertThat(stats.pending()).isZero();
  }

  @Test
  void concurrentMissesOfAKeyAreLoadedOnce() throws Exception {
    Backend<Integer, String> backend = add("songs", songs);
    try (FanoutRequest one = cache.request();
        FanoutRequest two = cache.request()) {
      CompletableFuture<Map<Integer, String>> a = one.query(backend, List.of(1, 2));
      CompletableFuture<Map<Integer, String>> b = two.query(backend, List.of(2, 3));
      CompletableFuture<String> c = two.queryOne(backend, 1);
      assertThat(songs.calls).hasSize(2);
      assertThat(songs.last().keys()).containsExactly(3);
      songs.last().answerAll();
      assertThat(b).isNotDone();
      songs.calls.get(0).answerAll();
      assertThat(a.get()).containsOnlyKeys(1, 2);
      assertThat(b.get()).containsOnlyKeys(2, 3);
      assertThat(c.get()).isEqualTo("v1");
    }
    assertThat(backend.stats().coalesced()).isEqualTo(2);
  }

  @Test
  void aKeyAskedForTwiceThatComesInBetweenCountsOnce() {
    cache.close();
    cache = FanoutCache.builder().drivenByHost().stores(inBetween()).open();
    Backend<Integer, String> backend = add("songs", songs);
    assertThat(cache.request().query(backend, List.of(1, 1)))
        .isCompletedWithValue(Map.of(1, "came"));
    assertThat(backend.stats().hits() + backend.stats().misses()).isEqualTo(1);
    assertThat(songs.calls).isEmpty();
  }

  /** Another load stored the first key between the look-up and the load, which then fails. */
  @Test
  void aValueThatComesInBetweenIsAnsweredThoughTheLoadFails() throws Exception {
    cache.close();
    cache = FanoutCache.builder().drivenByHost().stores(inBetween()).open();
    Backend<Integer, String> backend = add("songs", songs);
    CompletableFuture<QueryResults<Integer, String>> both =
        cache.request().queryEach(backend, List.of(1, 2));
    assertThat(songs.last().keys()).containsExactly(2);
    songs.last().answer().completeExceptionally(new IllegalStateException("down"));
    assertThat(both.get().found()).containsExactly(Map.entry(1, "came"));
    assertThat(both.get().failed()).containsOnlyKeys(2);
  }

  private static StoreFactory inBetween() {
    return new StoreFactory() {
      @Override
      public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
        return new ComesInBetween<>(spec);
      }
    };
  }

  /** Misses at a key's first look-up, and has a value afterwards; of the key 2 always misses. */
  private static final class ComesInBetween<K, V> implements LocalStore<K, V> {
    private final Store<K, V> like;
    private final Set<K> looked = new HashSet<>();

    ComesInBetween(StoreSpec<K, V> spec) {
      like = CaffeineStore.factory().open(spec);
    }

    @Override
    @SuppressWarnings("unchecked")
    public V get(K key) {
      return looked.add(key) || key.equals(2) ? null : (V) "came";
    }

    @Override
    public void put(K key, V value) {}

    @Override
    public void invalidate(K key) {}

    @Override
    public CompletionStage<Void> clear() {
      return like.clear();
    }

    @Override
    public CompletionStage<Long> resize(long bytes) {
      return like.resize(bytes);
    }

    @Override
    public long allocatedBytes() {
      return like.allocatedBytes();
    }

    @Override
    public long usedBytes() {
      return 0;
    }

    @Override
    public void close() {
      like.close();
    }
  }

  @Test
  void absentExtraAndNullAnswersAreUnderstood() throws Exception {
    Backend<Integer, String> backend = add("songs", songs);
    try (FanoutRequest request = cache.request()) {
      CompletableFuture<Map<Integer, String>> some = request.query(backend, List.of(1, 2, 3));
      Map<Integer, String> answer = new HashMap<>();
      answer.put(1, "v1");
      answer.put(2, null);
      answer.put(99, "unasked");
      songs.last().answer().complete(answer);
      assertThat(some.get()).containsOnly(Map.entry(1, "v1"));

      CompletableFuture<String> absent = request.queryOne(backend, 2);
      songs.last().answer().complete(Map.of());
      assertThat(absent.get()).isNull();
      request.queryOne(backend, 99);
      assertThat(songs.last().keys()).containsExactly(99);
      assertThat(request.query(backend, List.of())).isCompletedWithValue(Map.of());
    }
  }

  @Test
  void loadersThatFailFailTheirQueriesAndNothingElse() {
    RuntimeException down = new IllegalArgumentException("down");
    Backend<Integer, String> throwing =
        add(
            "throwing",
            keys -> {
              throw down;
            });
    Backend<Integer, String> failing = add("failing", keys -> CompletableFuture.failedFuture(down));
    Backend<Integer, String> noStage = add("no-stage", keys -> null);
    Backend<Integer, String> noMap = add("no-map", keys -> CompletableFuture.completedFuture(null));
    Backend<Integer, String> error =
        add(
            "error",
            keys -> {
              throw new StackOverflowError();
            });
    FanoutRequest request = cache.request();
    for (Backend<Integer, String> backend : List.of(throwing, failing)) {
      for (int again = 0; again < 2; again++) {
        assertThatThrownBy(() -> request.query(backend, List.of(1)).get())
            .isInstanceOf(ExecutionException.class)
            .hasCause(down);
      }
      assertThat(backend.stats().loadFailures()).isEqualTo(2);
    }
    assertThatThrownBy(() -> request.query(noStage, List.of(1)).get())
        .hasMessageContaining("no-stage");
    assertThatThrownBy(() -> request.query(noMap, List.of(1)).get()).hasMessageContaining("no-map");
    assertThatThrownBy(() -> request.query(error, List.of(1)).get())
        .hasCauseInstanceOf(StackOverflowError.class);
    request.complete();
    assertThat(recent().requests()).isEqualTo(1);
  }

  /** It was a missing map, and wrapped once more it was an answer: that the keys do not exist. */
  @Test
  void aFailureWithoutACauseIsAFailure() {
    Backend<Integer, String> backend = add("songs", songs);
    CompletionException bare = new CompletionException("down", null);
    for (Throwable why : List.of(bare, new CompletionException(bare))) {
      CompletableFuture<String> answer = cache.request().queryOne(backend, 1);
      songs.last().answer().completeExceptionally(why);
      assertThatThrownBy(answer::get).isInstanceOf(ExecutionException.class).hasRootCause(bare);
    }
  }

  @Test
  void aLateAnswerIsATimeOutAndStillFillsTheCache() throws Exception {
    Backend<Integer, String> backend =
        add("songs", songs, BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(30)));
    try (FanoutRequest request = cache.request()) {
      CompletableFuture<String> late = request.queryOne(backend, 1);
      assertThatThrownBy(() -> late.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(TimeoutException.class);
      songs.last().answerAll();
      assertThat(request.queryOne(backend, 1)).isCompletedWithValue("v1");
    }
    assertThat(backend.stats().loadTimeOuts()).isEqualTo(1);

    try (FanoutRequest request = cache.request()) {
      CompletableFuture<String> late = request.queryOne(backend, 2);
      assertThatThrownBy(() -> late.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(TimeoutException.class);
      backend.invalidate(List.of(2));
      songs.last().answerAll();
      int before = songs.calls.size();
      CompletableFuture<String> unused = request.queryOne(backend, 2);
      assertThat(songs.calls).as("read before an invalidation").hasSize(before + 1);
    }
  }

  @Test
  void tooManyPendingAreRefused() throws Exception {
    Backend<Integer, String> backend = add("songs", songs, PATIENT.withMaxPending(2));
    try (FanoutRequest request = cache.request()) {
      List<CompletableFuture<String>> answers =
          Arrays.asList(
              request.queryOne(backend, 1),
              request.queryOne(backend, 1),
              request.queryOne(backend, 2));
      assertThatThrownBy(() -> answers.get(2).get()).hasCauseInstanceOf(OverloadException.class);
      songs.last().answerAll();
      assertThat(answers.get(1).get()).isEqualTo("v1");
      assertThat(request.queryOne(backend, 2)).isNotDone();
    }
    assertThat(backend.stats().refused()).isEqualTo(1);
  }

  @Test
  void absentKeysAreRememberedForAWhile() throws Exception {
    Backend<Integer, String> backend =
        add("songs", songs, PATIENT.withRememberAbsent(Duration.ofSeconds(5)));
    try (FanoutRequest request = cache.request()) {
      request.queryOne(backend, 1);
      songs.last().answer().complete(Map.of());
      assertThat(request.queryOne(backend, 1).get()).isNull();
      assertThat(songs.calls).hasSize(1);
      assertThat(backend.stats().absentHits()).isEqualTo(1);

      backend.invalidate(List.of(1));
      request.queryOne(backend, 1);
      assertThat(songs.calls).hasSize(2);
      songs.last().answer().complete(Map.of());
      clock.pass(Duration.ofSeconds(6));
      request.queryOne(backend, 1);
      assertThat(songs.calls).hasSize(3);
    }
  }

  /** Nothing is asked, so nothing waits: not even if all places for waiting queries are taken. */
  @Test
  void aKeyKnownToBeAbsentIsAHit() throws Exception {
    Backend<Integer, String> backend =
        add("songs", songs, PATIENT.withRememberAbsent(Duration.ofSeconds(5)).withMaxPending(1));
    try (FanoutRequest request = cache.request()) {
      CompletableFuture<Map<Integer, String>> first = request.query(backend, List.of(1, 2));
      songs.last().answer().complete(Map.of(2, "v2"));
      assertThat(first.get()).isEqualTo(Map.of(2, "v2"));
      List<String> waited = new ArrayList<>();
      cache.listen(
          new LatencyListener() {
            @Override
            public void request(long nanos) {}

            @Override
            public void query(Backend<?, ?> asked, long nanos) {
              waited.add("query");
            }

            @Override
            public void load(Backend<?, ?> asked, long nanos) {}

            @Override
            public void hit(Backend<?, ?> asked, long nanos) {
              waited.add("hit");
            }
          });
      CompletableFuture<String> waits = request.queryOne(backend, 3);
      assertThat(request.queryOne(backend, 1)).isCompletedWithValue(null);
      assertThat(request.query(backend, List.of(1, 2))).isCompletedWithValue(Map.of(2, "v2"));
      QueryResults<Integer, String> each = request.queryEach(backend, List.of(1, 2, 4)).get();
      assertThat(each.found()).isEqualTo(Map.of(2, "v2"));
      assertThat(each.failed()).containsOnlyKeys(4);
      assertThat(waited).isEmpty();
      assertThat(backend.stats().hits()).isEqualTo(3);
      assertThat(backend.stats().absentHits()).isEqualTo(2);
      songs.last().answerAll();
      assertThat(waits).isCompletedWithValue("v3");
      request.complete();
      assertThatThrownBy(() -> request.queryOne(backend, 1).get()).hasMessageContaining("complete");
    }
    cache.remove(backend);
    assertThatThrownBy(() -> cache.request().queryOne(backend, 1).get())
        .hasMessageContaining("removed");
  }

  @Test
  void valuesLoadedDuringAnInvalidationAreNotKept() throws Exception {
    Backend<Integer, String> backend = add("songs", songs);
    try (FanoutRequest request = cache.request()) {
      CompletableFuture<String> before = request.queryOne(backend, 1);
      backend.invalidate(List.of(1));
      CompletableFuture<String> after = request.queryOne(backend, 1);
      assertThat(songs.calls).hasSize(2);
      songs.calls.get(0).answer().complete(Map.of(1, "old"));
      assertThat(before.get()).isEqualTo("old");
      assertThat(after).isNotDone();
      songs.calls.get(1).answer().complete(Map.of(1, "new"));
      assertThat(after.get()).isEqualTo("new");
      assertThat(request.queryOne(backend, 1)).isCompletedWithValue("new");
    }
  }

  @Test
  void uncachedQueriesGoPastTheCacheButBlock() throws Exception {
    Backend<Integer, String> backend = add("songs", songs);
    try (FanoutRequest request = cache.request()) {
      request.queryOne(backend, 1);
      songs.last().answerAll();
      CompletableFuture<Map<Integer, String>> write = request.queryUncached(backend, List.of(1, 2));
      clock.pass(Duration.ofMillis(2));
      songs.last().answer().complete(Map.of(1, "fresh", 2, "fresh"));
      assertThat(write.get()).containsEntry(1, "fresh");
      assertThat(request.queryOne(backend, 1)).isCompletedWithValue("v1");
      assertThat(request.queryOne(backend, 2)).isNotDone();
    }
    assertThat(backend.stats().uncached()).isEqualTo(2);
    assertThat(backend.stats().blocked()).isEqualTo(1);
  }

  @Test
  void backendsComeAndGo() {
    Backend<Integer, String> backend = add("songs", songs);
    FanoutRequest request = cache.request();
    CompletableFuture<String> pending = request.queryOne(backend, 1);
    cache.remove(backend);
    cache.remove(backend);
    songs.last().answerAll();
    assertThat(pending).isCompletedWithValue("v1");
    assertThatThrownBy(() -> request.queryOne(backend, 2).get()).hasMessageContaining("removed");
    request.complete();
    assertThat(recent().requests()).as("blamed on a backend that is gone").isZero();

    Backend<Integer, String> again = add("songs", songs);
    assertThatThrownBy(() -> add("songs", songs)).isInstanceOf(IllegalArgumentException.class);
    assertThat(cache.request().queryOne(again, 1)).isNotDone();
    assertThat(cache.backendStats()).containsOnlyKeys("songs");
  }
}
