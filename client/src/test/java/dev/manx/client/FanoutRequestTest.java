/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.shares.WindowStatistics;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a request ends and which backend it blames, step by step with scripted backends. */
// Often only the counters matter, not the answer.
@SuppressWarnings("FutureReturnValueIgnored")
@Timeout(60)
class FanoutRequestTest extends ScriptedCache {
  @Test
  void aTimedOutRequestBlamesItsOldestPendingBackend() throws Exception {
    Duration limit = Duration.ofMillis(50);
    while (!blamesTheOldestPending(limit)) {
      // The machine paused before the first answer.
      limit = limit.multipliedBy(2);
    }
  }

  /** Whether the first query was answered in time, after which all the rest has been checked. */
  private boolean blamesTheOldestPending(Duration limit) throws Exception {
    cache.close();
    cache = FanoutCache.builder().capacity(8 << 20).drivenByHost().requestTimeOut(limit).open();
    Backend<Integer, String> songBackend = add("songs", songs);
    Backend<Integer, String> userBackend = add("users", users);
    Scripted third = new Scripted();
    Backend<Integer, String> thirdBackend = add("third", third);
    FanoutRequest request = cache.request();
    CompletableFuture<String> song = request.queryOne(songBackend, 1);
    CompletableFuture<String> user = request.queryOne(userBackend, 1);
    CompletableFuture<String> last = request.queryOne(thirdBackend, 1);
    songs.last().answerAll();
    if (song.isCompletedExceptionally()) {
      assertThatThrownBy(song::get).hasCauseInstanceOf(TimeoutException.class);
      return false;
    }
    assertThat(song).isCompletedWithValue("v1");
    assertThatThrownBy(() -> user.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> last.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
    request.complete();
    WindowStatistics window = recent();
    assertThat(window.timeOuts()).isEqualTo(1);
    assertThat(window.blockedBy(window.backends().indexOf("users"))).isEqualTo(1);
    assertThat(cache.stats().givenUp()).isEqualTo(1);
    users.last().answerAll();
    assertThat(cache.request().queryOne(userBackend, 1)).isCompletedWithValue("v1");
    return true;
  }

  private void openWithTimeOut(Duration limit) {
    cache.close();
    cache =
        FanoutCache.builder()
            .capacity(8 << 20)
            .clock(clock)
            .drivenByHost()
            .requestTimeOut(limit)
            .open();
  }

  /** A backend whose own time-out comes later than any request's. */
  private Backend<Integer, String> addPatient() {
    return add("songs", songs, PATIENT);
  }

  private static void assertTimesOut(CompletableFuture<?> answer) {
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
  }

  @Test
  void aLayerThatBeginsAfterTheTimeOutFails() {
    openWithTimeOut(Duration.ofHours(1));
    Backend<Integer, String> backend = addPatient();
    backend.put(1, "v1").toCompletableFuture().join();
    try (FanoutRequest request = cache.request()) {
      assertThat(request.queryOne(backend, 1)).isCompletedWithValue("v1");
      clock.pass(Duration.ofHours(1));
      assertTimesOut(request.queryOne(backend, 2));
    }
    assertThat(recent().timeOuts()).isEqualTo(1);
  }

  @Test
  void aLayerAfterOneThatTimedOutFailsToo() {
    openWithTimeOut(Duration.ofMillis(20));
    Backend<Integer, String> backend = addPatient();
    try (FanoutRequest request = cache.request()) {
      assertTimesOut(request.queryOne(backend, 1));
      assertTimesOut(request.queryOne(backend, 2));
    }
    assertThat(recent().timeOuts()).isEqualTo(1);
  }

  @Test
  void theSlowestQueryBlocks() {
    Backend<Integer, String> songBackend = add("songs", songs);
    Backend<Integer, String> userBackend = add("users", users);
    FanoutRequest request = cache.request();
    request.query(userBackend, List.of(1));
    request.query(songBackend, List.of(1));
    clock.pass(Duration.ofMillis(3));
    users.last().answerAll();
    clock.pass(Duration.ofMillis(4));
    songs.last().answerAll();
    // A second layer, which ends last but is not the slowest.
    request.query(userBackend, List.of(2));
    clock.pass(Duration.ofMillis(5));
    users.last().answerAll();
    request.complete();
    request.complete();

    WindowStatistics window = recent();
    assertThat(window.requests()).isEqualTo(1);
    assertThat(window.blockedBy(window.backends().indexOf("songs"))).isEqualTo(1);
    assertThat(window.requestNanos(0.5)).isBetween(11.6e6, 12.4e6);
    assertThat(window.timeOuts()).isZero();
    assertThat(songBackend.stats().blocked()).isEqualTo(1);
  }

  private long blockedByShares() {
    WindowStatistics window = recent();
    long blocked = 0;
    for (int b = 0; b < window.backends().size(); b++) {
      blocked += window.blockedBy(b);
    }
    return blocked;
  }

  /** A share would make neither an uncached query nor a hit faster. */
  @Test
  void aRequestThatWaitedForNoMissIsBlockedByNoShare() {
    Backend<Integer, String> songBackend = add("songs", songs);
    Backend<Integer, String> userBackend = add("users", users);
    songBackend.put(9, "v9").toCompletableFuture().join();
    try (FanoutRequest request = cache.request()) {
      request.queryUncached(songBackend, List.of(1));
      request.query(userBackend, List.of(1));
      clock.pass(Duration.ofMillis(3));
      users.last().answerAll();
      clock.pass(Duration.ofMillis(4));
      songs.last().answerAll();
    }
    try (FanoutRequest request = cache.request()) {
      assertThat(request.queryOne(songBackend, 9)).isCompletedWithValue("v9");
    }
    try (FanoutRequest request = cache.request()) {
      request.queryUncached(songBackend, List.of(1));
      clock.pass(Duration.ofMillis(1));
    }
    assertThat(blockedByShares()).isZero();
    assertThat(recent().requests()).isEqualTo(3);
    assertThat(recent().timeOuts()).isEqualTo(1);
    assertThat(recent().requestNanos(0.99)).isBetween(6.7e6, 7.3e6);
    assertThat(songBackend.stats().blocked()).as("known all the same").isEqualTo(3);
  }

  @Test
  void aRequestGivenUpWhileItWaitsForTheCacheOrAMissIsBlockedByItsShare() {
    Backend<Integer, String> songBackend = add("songs", songs);
    try (FanoutRequest request = cache.request()) {
      request.queryOne(songBackend, 1);
      clock.pass(Duration.ofMillis(1));
    }
    assertThat(blockedByShares()).isEqualTo(1);
  }

  @Test
  void aQueryOfSeveralKeysCountsOnce() {
    Backend<Integer, String> songBackend = add("songs", songs);
    songBackend.put(9, "v9").toCompletableFuture().join();
    try (FanoutRequest request = cache.request()) {
      request.query(songBackend, List.of(1, 2, 9));
      songs.last().answerAll();
      request.query(songBackend, List.of(1, 2, 9));
      request.queryUncached(songBackend, List.of(3, 4));
      songs.last().answerAll();
    }
    WindowStatistics window = recent();
    assertThat(window.hits(0)).isEqualTo(4);
    assertThat(window.misses(0)).isEqualTo(2);
    assertThat(window.queries(0)).isEqualTo(2);
    assertThat(window.missQueries(0)).isEqualTo(1);
  }

  @Test
  void aRequestCompletedEarlyBlamesTheOldestPendingAndIgnoresLateAnswers() {
    Backend<Integer, String> songBackend = add("songs", songs);
    Backend<Integer, String> userBackend = add("users", users);
    FanoutRequest request = cache.request();
    CompletableFuture<String> song = request.queryOne(songBackend, 1);
    request.queryOne(userBackend, 1);
    clock.pass(Duration.ofMillis(3));
    users.last().answerAll();
    request.complete();
    clock.pass(Duration.ofMillis(3));
    songs.last().answerAll();
    assertThat(song).isCompletedWithValue("v1");
    WindowStatistics window = recent();
    assertThat(window.requests()).isEqualTo(1);
    assertThat(window.timeOuts()).isEqualTo(1);
    assertThat(window.blockedBy(window.backends().indexOf("songs"))).isEqualTo(1);
    assertThat(window.requestNanos(1)).isLessThan(3.2e6);

    assertThatThrownBy(() -> request.queryOne(songBackend, 1).get())
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> request.query(songBackend, List.of(5)).get())
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(songBackend.stats().pending()).isZero();
  }

  @Test
  void requestsWithoutQueriesAreInNoPercentile() {
    add("songs", songs);
    cache.request().close();
    assertThat(recent().requests()).isZero();
    assertThat(cache.stats().requests()).isEqualTo(1);
    assertThat(cache.stats().withoutQueries()).isEqualTo(1);
  }

  /** Such a page has failed: it must not look like one that asked for nothing. */
  @Test
  void requestsWhoseQueriesAreAllRejectedHaveTheirOwnCounter() {
    Backend<Integer, String> backend = add("songs", songs, PATIENT.withMaxPending(1));
    FanoutRequest first = cache.request();
    first.queryOne(backend, 1);
    for (int page = 0; page < 2; page++) {
      try (FanoutRequest request = cache.request()) {
        for (int key = 2; key < 5; key++) {
          assertThatThrownBy(request.queryOne(backend, key)::get)
              .hasCauseInstanceOf(OverloadException.class);
        }
      }
    }
    songs.last().answerAll();
    first.close();
    FanoutRequest waits = cache.request();
    waits.queryOne(backend, 5);
    try (FanoutRequest mixed = cache.request()) {
      assertThat(mixed.queryOne(backend, 6)).isCompletedExceptionally();
      assertThat(mixed.queryOne(backend, 1)).isCompletedWithValue("v1");
    }
    cache.request().close();
    assertThat(cache.stats().rejected()).isEqualTo(2);
    assertThat(cache.stats().withoutQueries()).isEqualTo(1);
    assertThat(cache.stats().requests()).isEqualTo(5);
    assertThat(recent().requests()).isEqualTo(2);
  }

  /** Such a page has values, but none of its queries reached a backend. */
  @Test
  void aRequestWhoseOnlyValuesAreCachedOnesOfARejectedQueryCountsAsRejected() {
    Backend<Integer, String> backend = add("songs", songs, PATIENT.withMaxPending(1));
    backend.put(1, "one").toCompletableFuture().join();
    backend.put(2, "two").toCompletableFuture().join();
    FanoutRequest waits = cache.request();
    waits.queryOne(backend, 3);
    try (FanoutRequest page = cache.request()) {
      QueryResults<Integer, String> results = page.queryEach(backend, List.of(1, 2, 4)).join();
      assertThat(results.found()).isEqualTo(Map.of(1, "one", 2, "two"));
      assertThat(results.failed()).containsOnlyKeys(4);
      assertThat(results.failed().get(4)).isInstanceOf(OverloadException.class);
    }
    assertThat(cache.stats().rejected()).isEqualTo(1);
  }

  /** A mistake of the application, or a page of two caches. */
  @Test
  void aBackendOfAnotherCacheAnswersAndIsInNoPercentile() {
    add("songs", songs);
    try (FanoutCache other = FanoutCache.builder().clock(clock).drivenByHost().open()) {
      other.add(BackendSpec.of("songs", (Integer key, String value) -> 10, songs));
      Backend<Integer, String> foreign =
          other.add(BackendSpec.of("users", (key, value) -> 10, users));
      foreign.put(1, "ada").toCompletableFuture().join();
      FanoutRequest request = cache.request();
      assertThat(request.queryOne(foreign, 1)).isCompletedWithValue("ada");
      request.complete();
      assertThat(cache.stats().requests()).isEqualTo(1);
      assertThat(recent().requests()).isZero();
      other.tick();
      assertThat(other.recent().hits(other.recent().backends().indexOf("users"))).isEqualTo(1);
    }
  }

  @Test
  void aRequestCanFollowAStage() {
    Backend<Integer, String> backend = add("songs", songs);
    FanoutRequest request = cache.request();
    request.completeAfter(request.queryOne(backend, 1));
    assertThat(cache.stats().requests()).isZero();
    songs.last().answerAll();
    assertThat(cache.stats().requests()).isEqualTo(1);
    assertThat(recent().timeOuts()).isZero();
  }

  @Test
  void anAbandonedRequestIsCollected() throws Exception {
    Backend<Integer, String> backend =
        add("songs", songs, BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(20)));
    WeakReference<FanoutRequest> abandoned = abandon(backend);
    for (int i = 0; i < 200 && abandoned.get() != null; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(abandoned.get()).isNull();
    assertThat(backend.stats().pending()).isZero();
    assertThat(cache.stats().requests()).isZero();
  }

  private WeakReference<FanoutRequest> abandon(Backend<Integer, String> backend) {
    FanoutRequest request = cache.request();
    // The backend never answers, and its future is discarded with the call.
    request.query(backend, List.of(1));
    songs.calls.clear();
    return new WeakReference<>(request);
  }

  @Test
  void closingEndsWhatWaits() throws Exception {
    Backend<Integer, String> backend = add("songs", songs);
    CompletableFuture<String> pending = cache.request().queryOne(backend, 1);
    cache.close();
    cache.close();
    assertThatThrownBy(() -> pending.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
    songs.last().answerAll();
    assertThatThrownBy(() -> cache.request().queryOne(backend, 1).get())
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> add("more", songs)).isInstanceOf(IllegalStateException.class);
  }

  private static void assertMisses(WindowStatistics window, long misses, double meanNanos) {
    assertThat(window.misses(0)).isEqualTo(misses);
    assertThat(window.meanMissNanos(0)).isEqualTo(meanNanos);
  }

  /** Else a backend would look saturated once it answers again in its usual time. */
  @Test
  void keysThatTheBreakerStopsHaveNoLatency() throws Exception {
    Backend<Integer, String> backend =
        add(
            "songs",
            songs,
            PATIENT
                .withBreaker(new BreakerSettings(4, 0.5, Duration.ofSeconds(10)))
                .withFreshness(
                    Freshness.timeToLive(Duration.ofMinutes(1))
                        .withStaleIfError(Duration.ofHours(1))));
    CompletableFuture<String> first = cache.request().queryOne(backend, 1_000);
    clock.pass(Duration.ofMillis(5));
    songs.last().answerAll();
    assertThat(first).isCompletedWithValue("v1000");
    clock.pass(Duration.ofMinutes(2));
    for (int key = 0; key < 4; key++) {
      cache.request().queryOne(backend, key);
      songs.last().answer().completeExceptionally(new IllegalStateException("down"));
    }
    assertThat(backend.stats().breakerOpen()).isTrue();
    for (int key = 0; key < 100; key++) {
      CompletableFuture<String> refused = cache.request().queryOne(backend, key);
      assertThatThrownBy(() -> refused.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(BreakerOpenException.class);
    }
    CompletableFuture<String> stale = cache.request().queryOne(backend, 1_000);
    assertThat(stale.get(20, TimeUnit.SECONDS)).isEqualTo("v1000");
    assertThat(backend.stats().misses()).isEqualTo(106);
    assertMisses(recent(), 1, 5e6);
  }

  @Test
  void ofEachKeyThoseAnsweredHaveTheirLatency() {
    Backend<Integer, String> backend = add("songs", songs);
    CompletableFuture<String> other = cache.request().queryOne(backend, 1);
    CompletableFuture<?> each = cache.request().queryEach(backend, List.of(1, 2, 3));
    songs.last().answer().completeExceptionally(new IllegalStateException("down"));
    clock.pass(Duration.ofMillis(7));
    songs.calls.get(0).answerAll();
    assertThat(other).isCompleted();
    assertThat(each).isCompleted();
    assertMisses(recent(), 2, 7e6);
  }

  /** A backend that does not answer in time is slow, not unknown. */
  @Test
  void keysThatTimeOutAreMisses() {
    Backend<Integer, String> backend =
        add("songs", songs, BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(20)));
    assertTimesOut(cache.request().queryOne(backend, 1));
    assertThat(recent().misses(0)).isEqualTo(1);
  }

  private void failsAfter(Backend<Integer, String> backend, int key, Duration time) {
    CompletableFuture<String> answer = cache.request().queryOne(backend, key);
    clock.pass(time);
    songs.last().answer().completeExceptionally(new IllegalStateException("gave up"));
    assertThat(answer).isCompletedExceptionally();
  }

  /** A client of the backend may have a shorter time-out of its own, with any exception. */
  @Test
  void keysWhoseLoadFailsLateAreMisses() {
    Backend<Integer, String> backend =
        add("songs", songs, BackendSettings.DEFAULTS.withTimeOut(Duration.ofMinutes(10)));
    failsAfter(backend, 1, Duration.ofMinutes(4));
    assertThat(recent().misses(0)).isZero();
    failsAfter(backend, 2, Duration.ofMinutes(5));
    assertThat(recent().misses(0)).isEqualTo(1);
  }

  @Test
  void aLoadThatFailsAfterTheTimeOfAnAnswerIsLate() {
    Backend<Integer, String> backend =
        add("songs", songs, BackendSettings.DEFAULTS.withTimeOut(Duration.ofMinutes(10)));
    CompletableFuture<String> answer = cache.request().queryOne(backend, 1);
    clock.pass(Duration.ofMillis(5));
    songs.last().answerAll();
    assertThat(answer).isCompleted();
    assertMisses(recent(), 1, 5e6);
    failsAfter(backend, 2, Duration.ofNanos(900_000));
    assertMisses(recent(), 1, 5e6);
    failsAfter(backend, 3, Duration.ofMillis(7));
    assertMisses(recent(), 2, 6e6);
  }

  @Test
  void uncachedKeysAreNoMisses() {
    Backend<Integer, String> backend = add("songs", songs);
    CompletableFuture<?> answer = cache.request().queryUncached(backend, List.of(1, 2));
    songs.last().answerAll();
    assertThat(answer).isCompleted();
    assertThat(backend.stats().uncached()).isEqualTo(2);
    assertThat(recent().misses(0)).isZero();
  }

  @Test
  void completingRacesWithAnswersAndEachRequestIsRecordedOnce() throws Exception {
    ExecutorService answering = Executors.newFixedThreadPool(2);
    Backend<Integer, String> backend =
        add(
            "songs",
            keys -> CompletableFuture.supplyAsync(() -> Map.of(keys.get(0), "v"), answering));
    int rounds = 5_000;
    for (int i = 0; i < rounds; i++) {
      FanoutRequest request = cache.request();
      CompletableFuture<String> a = request.queryOne(backend, i);
      CompletableFuture<String> b = request.queryOne(backend, i + rounds);
      if (i % 3 == 0) {
        a.get(20, TimeUnit.SECONDS);
      }
      request.complete();
      request.close();
      assertThat(b.get(20, TimeUnit.SECONDS)).isEqualTo("v");
    }
    answering.shutdown();
    assertThat(answering.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    assertThat(recent().requests()).isEqualTo(rounds);
    assertThat(cache.stats().requests()).isEqualTo(rounds);
    assertThat(backend.stats().pending()).isZero();
    assertThat(backend.stats().misses()).isEqualTo(2L * rounds);
  }
}
