/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of many backends: deadlines, answers by key, and threads that backends share. */
@Timeout(60)
class PageTest {
  private final CountDownLatch release = new CountDownLatch(1);
  private FanoutCache cache = FanoutCache.builder().drivenByHost().open();

  @AfterEach
  void close() {
    release.countDown();
    cache.close();
  }

  private static <T> T get(CompletableFuture<T> answer) throws Exception {
    return answer.get(30, TimeUnit.SECONDS);
  }

  private Backend<Integer, String> add(String name, Loader<Integer, String> loader) {
    return cache.add(
        BackendSpec.<Integer, String>of(name, (k, v) -> 10, loader)
            .with(BackendSettings.DEFAULTS.withTimeOut(Duration.ofMinutes(10))));
  }

  private static Map<Integer, String> all(List<Integer> keys) {
    Map<Integer, String> values = new HashMap<>();
    keys.forEach(key -> values.put(key, "v" + key));
    return values;
  }

  private Map<Integer, String> hang(List<Integer> keys) throws InterruptedException {
    release.await();
    return all(keys);
  }

  /** A recovered backend is not asked for keys that no query waits for. */
  @Test
  void loadsThatTimedOutBeforeTheyBeganAreNotBegun() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Queue<Integer> asked = new ConcurrentLinkedQueue<>();
    try (LoaderPool pool = LoaderPool.ofThreads(1)) {
      Loader<Integer, String> loader =
          pool.loader(
              1,
              100,
              keys -> {
                asked.addAll(keys);
                begun.countDown();
                return hang(keys);
              });
      Backend<Integer, String> patient = add("patient", loader);
      Backend<Integer, String> hasty =
          cache.add(
              BackendSpec.<Integer, String>of("hasty", (k, v) -> 10, loader)
                  .with(BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(20))));
      CompletableFuture<String> first = cache.request().queryOne(patient, 0);
      begun.await();
      for (int key = 1; key < 10; key++) {
        CompletableFuture<String> late = cache.request().queryOne(hasty, key);
        assertThatThrownBy(() -> get(late)).hasCauseInstanceOf(TimeoutException.class);
      }
      CompletableFuture<String> last = cache.request().queryOne(patient, 99);
      release.countDown();
      assertThat(get(first)).isEqualTo("v0");
      assertThat(get(last)).isEqualTo("v99");
      assertThat(asked).containsExactly(0, 99);
    }
  }

  /** One of 30 backends hangs: pages that need it lose only that part. */
  @Test
  void aBackendThatHangsCostsAPageItsPartAndItsDeadline() throws Exception {
    try (LoaderPool pool = LoaderPool.ofThreads(8)) {
      List<Backend<Integer, String>> backends = new ArrayList<>();
      for (int i = 0; i < 29; i++) {
        backends.add(add("b" + i, pool.loader(4, 100, PageTest::all)));
      }
      Backend<Integer, String> hung = add("hung", pool.loader(4, 100, this::hang));
      for (int page = 0; page < 10; page++) {
        int key = page;
        try (FanoutRequest request = cache.request(Duration.ofMillis(100))) {
          CompletableFuture<QueryResults<Integer, String>> lost =
              request.queryEach(hung, List.of(key));
          // Otherwise a slow machine may also miss the deadline of other backends.
          try (FanoutRequest others = cache.request()) {
            for (Backend<Integer, String> backend : backends) {
              QueryResults<Integer, String> part = get(others.queryEach(backend, List.of(key)));
              assertThat(part.isWhole()).isTrue();
              assertThat(part.found()).containsOnlyKeys(key);
            }
          }
          QueryResults<Integer, String> part = get(lost);
          assertThat(part.found()).isEmpty();
          assertThat(part.failed()).containsOnlyKeys(key);
          assertThat(part.failed().get(key)).isInstanceOf(TimeoutException.class);
          assertThat(part.or((k, why) -> "fallback")).containsEntry(key, "fallback");
        }
      }
      assertThat(cache.stats().givenUp()).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keysInTheCacheAreAnsweredWhileTheBackendIsDown(boolean local) throws Exception {
    if (!local) {
      cache.close();
      cache = FanoutCache.builder().drivenByHost().stores(Elsewhere.factory(Runnable::run)).open();
    }
    IllegalStateException down = new IllegalStateException("down");
    Backend<Integer, String> backend = add("songs", keys -> CompletableFuture.failedFuture(down));
    assertThat(backend.put(1, "one")).isCompleted();
    assertThat(backend.put(2, "two")).isCompleted();
    FanoutRequest request = cache.request();
    QueryResults<Integer, String> results = get(request.queryEach(backend, List.of(1, 2, 3)));
    assertThat(results.found()).containsOnly(Map.entry(1, "one"), Map.entry(2, "two"));
    assertThat(results.failed()).containsOnly(Map.entry(3, down));
    assertThatThrownBy(() -> get(request.query(backend, List.of(1, 2, 3)))).hasCause(down);
    assertThat(get(request.queryEach(backend, List.of(1, 2))).isWhole()).isTrue();
    assertThat(backend.stats().pending()).isZero();
    assertThat(backend.stats().hits()).isEqualTo(6);
    assertThat(backend.stats().misses()).isEqualTo(2);
  }

  @Test
  void oneOfSeveralLoadsFailsForItsKeysAlone() throws Exception {
    Replies songs = new Replies();
    Backend<Integer, String> backend = add("songs", songs);
    FanoutRequest request = cache.request();
    CompletableFuture<?> first = request.query(backend, List.of(1));
    CompletableFuture<QueryResults<Integer, String>> both =
        request.queryEach(backend, List.of(1, 2, 3));
    songs.next().fails();
    assertThat(first).isCompletedExceptionally();
    assertThat(both).isNotDone();
    songs.next().answers(Map.of(2, "two"));
    assertThat(get(both).found()).containsOnly(Map.entry(2, "two"));
    assertThat(get(both).failed()).containsOnlyKeys(1);
  }

  @Test
  void aQueryThatIsRefusedAnswersWhatTheCacheHas() throws Exception {
    Replies songs = new Replies();
    Backend<Integer, String> backend =
        cache.add(
            BackendSpec.<Integer, String>of("songs", (k, v) -> 10, songs)
                .with(
                    BackendSettings.DEFAULTS
                        .withTimeOut(Duration.ofMinutes(10))
                        .withMaxPending(1)));
    assertThat(backend.put(1, "one")).isCompleted();
    FanoutRequest request = cache.request();
    CompletableFuture<?> waiting = request.query(backend, List.of(7));
    QueryResults<Integer, String> results = get(request.queryEach(backend, List.of(1, 2)));
    assertThat(waiting).isNotDone();
    assertThat(results.found()).containsOnlyKeys(1);
    assertThat(results.failed().get(2)).isInstanceOf(OverloadException.class);
  }

  @Test
  void aRequestsOwnDeadlineComesBeforeTheCaches() {
    Backend<Integer, String> backend = add("songs", new Replies());
    try (FanoutRequest request = cache.request(Duration.ofMillis(20))) {
      CompletableFuture<String> answer = request.queryOne(backend, 1);
      assertThatThrownBy(() -> get(answer)).hasCauseInstanceOf(TimeoutException.class);
    }
    for (Duration bad : List.of(Duration.ZERO, Duration.ofHours(2))) {
      assertThatThrownBy(() -> cache.request(bad)).hasMessageContaining("1 ms to 1 h");
    }
  }

  /** {@code try (request) { return request.queryEach(...); }}: the answer is awaited later. */
  @Test
  void aRequestClosedEarlyKeepsItsDeadline() throws Exception {
    Replies songs = new Replies();
    Backend<Integer, String> hung = add("hung", keys -> new CompletableFuture<>());
    Backend<Integer, String> backend = add("songs", songs);
    CompletableFuture<QueryResults<Integer, String>> lost;
    CompletableFuture<String> alsoLost;
    CompletableFuture<String> answered;
    try (FanoutRequest request = cache.request(Duration.ofMillis(50))) {
      lost = request.queryEach(hung, List.of(1));
      alsoLost = request.queryOne(hung, 2);
    }
    try (FanoutRequest request = cache.request(Duration.ofMinutes(1))) {
      answered = request.queryOne(backend, 3);
    }
    songs.next().with("v");
    assertThat(answered).isCompletedWithValue("v3");
    assertThat(get(lost).failed().get(1)).isInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> get(alsoLost)).hasCauseInstanceOf(TimeoutException.class);
    assertThat(cache.stats().requests()).isEqualTo(2);
    assertThat(cache.stats().givenUp()).isEqualTo(2);
    assertThat(hung.stats().blocked()).isEqualTo(1);
    assertThat(hung.stats().pending()).isZero();
    assertThat(backend.stats().pending()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLaneHoldsItsOwnThreadsAndRefusesWhatIsTooMuch(boolean virtual) throws Exception {
    try (LoaderPool pool = virtual ? LoaderPool.ofVirtualThreads(3) : LoaderPool.ofThreads(3)) {
      Loader<Integer, String> hung = pool.loader(2, 1, this::hang);
      Loader<Integer, String> fine = pool.loader(2, 100, PageTest::all);
      List<CompletableFuture<? extends Map<Integer, String>>> held = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        held.add(hung.loadAll(List.of(i)).toCompletableFuture());
      }
      assertThatThrownBy(() -> hung.loadAll(List.of(3)))
          .isInstanceOf(RejectedExecutionException.class);
      for (int i = 0; i < 50; i++) {
        assertThat(get(fine.loadAll(List.of(i)).toCompletableFuture())).containsOnlyKeys(i);
      }
      release.countDown();
      for (CompletableFuture<? extends Map<Integer, String>> each : held) {
        assertThat(get(each)).hasSize(1);
      }
    }
  }
}
