/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static dev.manx.client.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.tracing.LoadEnd;
import dev.manx.client.tracing.LoadEnd.Outcome;
import dev.manx.client.tracing.QueryEnd;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tracing of requests, queries and loads, and the reporting of their ends. */
@Timeout(60)
class TracingTest {
  private final ManualClock clock = new ManualClock();
  private final Followed followed = new Followed();
  private final Scripted songs = new Scripted();
  private final FanoutCache cache =
      FanoutCache.builder().drivenByHost().clock(clock).tracing(followed).open();

  @AfterEach
  @Timeout(60)
  void close() throws InterruptedException {
    cache.close();
    until(() -> followed.scopes.get() == 0);
    assertThat(Followed.HERE.get()).isNull();
    assertThat(LoadContext.here()).isNull();
    assertThat(followed.lines).noneMatch(line -> line.contains("elsewhere"));
  }

  private Backend<Integer, String> add(BackendSettings settings) {
    return cache.add(
        BackendSpec.<Integer, String>of("songs", (key, value) -> 10, songs).with(settings));
  }

  private Backend<Integer, String> add() {
    return add(ScriptedCache.PATIENT);
  }

  private void loaded(Backend<Integer, String> backend, int... keys) {
    for (int key : keys) {
      backend.put(key, "v" + key).toCompletableFuture().join();
    }
  }

  @Test
  void hitsAreNotFollowed() {
    Backend<Integer, String> backend =
        add(ScriptedCache.PATIENT.withRememberAbsent(Duration.ofHours(1)));
    loaded(backend, 1, 2);
    CompletableFuture<String> absent = cache.request().queryOne(backend, 3);
    songs.last().answer().complete(Map.of());
    assertThat(absent).isCompletedWithValue(null);
    followed.lines.clear();
    try (FanoutRequest request = cache.request()) {
      assertThat(request.query(backend, List.of(1, 2))).isCompleted();
      assertThat(request.queryOne(backend, 1)).isCompleted();
      assertThat(request.queryEach(backend, List.of(1))).isCompleted();
      assertThat(request.queryOne(backend, 3)).as("known not to exist").isCompleted();
    }
    assertThat(followed.lines).isEmpty();
  }

  @Test
  void aQueryThatWaitsIsFollowedToItsEnd() {
    Backend<Integer, String> backend = add();
    loaded(backend, 1);
    FanoutRequest request = cache.request();
    CompletableFuture<?> answer = request.query(backend, List.of(1, 2, 3));
    List<String> toldBefore = List.of("request1", "request1/songs2", "request1/songs2/load");
    assertThat(followed.lines).containsExactlyElementsOf(toldBefore);
    CompletableFuture<List<String>> seen = answer.thenApply(map -> List.copyOf(followed.lines));
    songs.last().answer().complete(Map.of(2, "two"));
    assertThat(seen)
        .as("ends are told before the application has its answer")
        .isCompletedWithValueMatching(
            lines ->
                lines
                    .subList(3, lines.size())
                    .equals(List.of("request1/songs2/load ANSWERED", "request1/songs2 ended")));
    request.complete();
    assertThat(followed.lines).endsWith("request1 blocked by songs");
    assertThat(followed.loads).containsExactly(new LoadEnd(Outcome.ANSWERED, 2, 1, 0, null));
    assertThat(followed.queries).containsExactly(new QueryEnd(true, 1, 2, 2, 0, 0, null));
  }

  @Test
  void queriesOfARequestBelongToOneTrace() {
    Backend<Integer, String> backend = add();
    FanoutRequest request = cache.request();
    CompletableFuture<?> unused = request.queryOne(backend, 1);
    unused = request.queryUncached(backend, List.of(1));
    request.complete();
    assertThat(followed.lines)
        .containsExactly(
            "request1",
            "request1/songs2",
            "request1/songs2/load",
            "request1/songs3",
            "request1/songs3/load",
            "request1 blocked by songs, given up");
    songs.calls.forEach(Scripted.Call::answerAll);
    assertThat(followed.lines).endsWith("request1/songs3/load ANSWERED", "request1/songs3 ended");
    assertThat(followed.queries).extracting(QueryEnd::cached).containsExactly(true, false);
  }

  @Test
  void aRequestJoinsARunningLoad() {
    Backend<Integer, String> backend = add();
    CompletableFuture<?> first = cache.request().query(backend, List.of(1, 2));
    CompletableFuture<?> second = cache.request().query(backend, List.of(2, 3));
    CompletableFuture<?> third = cache.request().queryOne(backend, 1);
    songs.calls.forEach(Scripted.Call::answerAll);
    assertThat(CompletableFuture.allOf(first, second, third)).isCompleted();
    assertThat(followed.lines)
        .filteredOn(line -> line.contains("joined"))
        .containsExactlyInAnyOrder(
            "request3/songs4 joined request1/songs2/load",
            "request5/songs6 joined request1/songs2/load");
    assertThat(followed.lines).filteredOn(line -> line.endsWith("ANSWERED")).hasSize(2);
  }

  @Test
  void failuresAreToldAndStaleAnswersToo() {
    Backend<Integer, String> backend =
        add(
            ScriptedCache.PATIENT.withFreshness(
                Freshness.timeToLive(Duration.ofMinutes(1)).withStaleIfError(Duration.ofHours(1))));
    loaded(backend, 1);
    clock.pass(Duration.ofMinutes(2));
    CompletableFuture<String> answered = cache.request().queryOne(backend, 1);
    IllegalStateException down = new IllegalStateException("down");
    songs.last().answer().completeExceptionally(down);
    assertThat(answered).isCompletedWithValue("v1");
    CompletableFuture<?> failed = cache.request().query(backend, List.of(1, 2));
    songs.last().answer().completeExceptionally(down);
    assertThat(failed).isCompletedExceptionally();
    CompletableFuture<?> each = cache.request().queryEach(backend, List.of(1, 2));
    songs.last().answer().completeExceptionally(down);
    assertThat(each).isCompleted();
    assertThat(followed.queries)
        .containsExactly(
            new QueryEnd(true, 0, 1, 1, 1, 0, null),
            new QueryEnd(true, 0, 2, 0, 0, 2, down),
            new QueryEnd(true, 0, 2, 1, 1, 1, down));
    assertThat(followed.loads).extracting(LoadEnd::outcome).containsOnly(Outcome.FAILED);
    assertThat(followed.loads).extracting(LoadEnd::failure).containsOnly(down);
  }

  @Test
  void aLoadThatTimesOutIsTold() throws Exception {
    Backend<Integer, String> backend =
        add(BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(20)));
    CompletableFuture<?> answer = cache.request().queryOne(backend, 1);
    until(answer::isDone);
    assertThat(followed.loads).extracting(LoadEnd::outcome).containsExactly(Outcome.TIMED_OUT);
    assertThat(followed.queries.get(0).failure()).isInstanceOf(TimeoutException.class);
    songs.last().answerAll();
    assertThat(followed.loads).as("a late answer is not a second end").hasSize(1);
  }

  @Test
  void aQueryThatIsLateForItsRequestEndsBeforeItsLoad() throws Exception {
    Backend<Integer, String> backend = add();
    Duration limit = Duration.ofMillis(20);
    while (!endsBeforeItsLoad(backend, limit)) {
      followed.lines.clear();
      followed.queries.clear();
      limit = limit.multipliedBy(2);
    }
  }

  /** False if the request had timed out before its query waited. */
  private boolean endsBeforeItsLoad(Backend<Integer, String> backend, Duration limit)
      throws Exception {
    FanoutRequest request = cache.request(limit);
    CompletableFuture<?> answer = request.queryEach(backend, List.of(1, 2));
    if (answer.isDone()) {
      request.complete();
      songs.last().answerAll();
      backend.invalidate(List.of(1, 2)).toCompletableFuture().join();
      return false;
    }
    until(answer::isDone);
    String first = followed.lines.get(0);
    String query = followed.lines.get(1);
    assertThat(followed.lines).containsExactly(first, query, query + "/load", query + " ended");
    assertThat(followed.queries.get(0).failed()).isEqualTo(2);
    assertThat(followed.queries.get(0).failure()).isInstanceOf(TimeoutException.class);
    request.complete();
    songs.last().answerAll();
    assertThat(followed.lines)
        .endsWith(first + " blocked by songs, given up", query + "/load ANSWERED");
    return true;
  }

  @Test
  void aLoadThatTheBreakerStopsIsTold() {
    Backend<Integer, String> backend =
        add(ScriptedCache.PATIENT.withBreaker(new BreakerSettings(1, 0.5, Duration.ofSeconds(10))));
    CompletableFuture<?> failed = cache.request().queryOne(backend, 1);
    songs.last().answer().completeExceptionally(new IllegalStateException("down"));
    CompletableFuture<?> refused = cache.request().queryOne(backend, 1);
    assertThat(CompletableFuture.allOf(failed, refused)).isCompletedExceptionally();
    assertThat(songs.calls).hasSize(1);
    assertThat(followed.loads)
        .extracting(LoadEnd::outcome)
        .containsExactly(Outcome.FAILED, Outcome.REFUSED);
    assertThat(followed.loads.get(1).failure()).isInstanceOf(BreakerOpenException.class);
  }

  @Test
  void aQueryThatIsRejectedIsToldWithWhatItHad() {
    Backend<Integer, String> backend = add(ScriptedCache.PATIENT.withMaxPending(1));
    loaded(backend, 1);
    CompletableFuture<?> waits = cache.request().queryOne(backend, 9);
    followed.lines.clear();
    FanoutRequest request = cache.request();
    assertThat(request.query(backend, List.of(1, 2, 3))).isCompletedExceptionally();
    assertThat(request.queryEach(backend, List.of(1, 2, 3))).isCompleted();
    assertThat(request.queryUncached(backend, List.of(1, 2))).isCompletedExceptionally();
    request.complete();
    assertThat(request.queryOne(backend, 2)).isCompletedExceptionally();
    assertThat(followed.lines)
        .containsExactly(
            "request3",
            "request3/songs4",
            "request3/songs4 ended",
            "request3/songs5",
            "request3/songs5 ended",
            "request3/songs6",
            "request3/songs6 ended",
            "request3 blocked by null");
    assertThat(followed.queries)
        .extracting(QueryEnd::failure)
        .hasOnlyElementsOfType(OverloadException.class);
    assertThat(followed.queries)
        .extracting(
            end ->
                new QueryEnd(
                    end.cached(),
                    end.hits(),
                    end.misses(),
                    end.found(),
                    end.stale(),
                    end.failed(),
                    null))
        .containsExactly(
            new QueryEnd(true, 1, 2, 0, 0, 3, null),
            new QueryEnd(true, 1, 2, 1, 0, 2, null),
            new QueryEnd(false, 0, 2, 0, 0, 2, null));
    assertThat(waits).isNotDone();
  }

  @Test
  void aLoaderThatThrowsIsAFailureLikeAnyOther() {
    Backend<Integer, String> backend =
        cache.add(
            BackendSpec.of(
                "songs",
                (key, value) -> 10,
                keys -> {
                  throw new IllegalStateException("at once");
                }));
    assertThat(cache.request().queryOne(backend, 1)).isCompletedExceptionally();
    assertThat(followed.loads).extracting(LoadEnd::outcome).containsExactly(Outcome.FAILED);
  }

  @Test
  void refreshesAheadBelongToNoRequest() throws Exception {
    Backend<Integer, String> backend =
        add(
            ScriptedCache.PATIENT.withFreshness(
                Freshness.timeToLive(Duration.ofMinutes(10))
                    .withRefreshAfter(Duration.ofMinutes(1))));
    loaded(backend, 1);
    clock.pass(Duration.ofMinutes(2));
    assertThat(cache.request().queryOne(backend, 1)).isCompletedWithValue("v1");
    until(() -> !songs.calls.isEmpty());
    songs.last().answerAll();
    assertThat(followed.lines).containsExactly("refresh songs", "refresh songs ANSWERED");
  }

  @Test
  void aRequestJoinsARunningRefresh() throws Exception {
    Backend<Integer, String> backend =
        add(
            ScriptedCache.PATIENT.withFreshness(
                Freshness.timeToLive(Duration.ofMinutes(10))
                    .withRefreshAfter(Duration.ofMinutes(1))));
    loaded(backend, 1);
    clock.pass(Duration.ofMinutes(2));
    assertThat(cache.request().queryOne(backend, 1)).isCompletedWithValue("v1");
    until(() -> !songs.calls.isEmpty());
    clock.pass(Duration.ofMinutes(20));
    CompletableFuture<String> late = cache.request().queryOne(backend, 1);
    songs.last().answerAll();
    assertThat(late).isCompletedWithValue("v1");
    assertThat(followed.lines).contains("request1/songs2 joined refresh songs");
  }
}
