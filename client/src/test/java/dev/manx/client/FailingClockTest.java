/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application clock that throws. */
@Timeout(60)
class FailingClockTest {
  private static final BreakerSettings ONE_FAILURE =
      new BreakerSettings(1, 0.5, Duration.ofSeconds(10));

  /** Threads of the cache that call loaders. */
  private static final String LOAD_THREADS = "manx-load";

  /** Threads that deliver time-outs. */
  private static final String TIMER_THREADS = "manx-timer";

  private final ManualClock clock = new ManualClock();
  private final Replies replies = new Replies();
  // The clock fails while this is set, on threads whose name begins so.
  private final AtomicBoolean fails = new AtomicBoolean();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile String where = "";
  private FanoutCache failing;

  private static final class Listener implements LatencyListener {
    @Override
    public void request(long nanos) {
      // Its presence is enough.
    }

    @Override
    public void query(Backend<?, ?> backend, long nanos) {
      // Its presence is enough.
    }

    @Override
    public void load(Backend<?, ?> backend, long nanos) {
      // Its presence is enough.
    }
  }

  @AfterEach
  void close() {
    fails.set(false);
    if (failing != null) {
      failing.close();
    }
  }

  private long now() {
    if (fails.get() && Thread.currentThread().getName().startsWith(where)) {
      failures.incrementAndGet();
      throw new AssertionError("asked to fail");
    }
    return clock.nanoTime();
  }

  /** Adds a backend to a cache whose clock fails. */
  private Backend<Integer, String> open(BackendSettings settings) {
    failing = FanoutCache.builder().drivenByHost().clock(this::now).open();
    return failing.add(
        BackendSpec.<Integer, String>of("songs", (k, v) -> 10, replies).with(settings));
  }

  private CompletableFuture<String> ask(Backend<Integer, String> backend, int key) {
    return failing.request().queryOne(backend, key);
  }

  private static Backend<Integer, String> add(FanoutCache cache, Scripted songs) {
    return cache.add(
        BackendSpec.<Integer, String>of("songs", (k, v) -> 10, songs).with(ScriptedCache.PATIENT));
  }

  @Test
  void aQueryThatCannotBeRecordedIsAnswered() throws Exception {
    Backend<Integer, String> backend = open(ScriptedCache.PATIENT);
    CompletableFuture<String> answer = ask(backend, 1);
    fails.set(true);
    replies.next().with("v");
    fails.set(false);
    assertThat(answer).isCompletedWithValue("v1");
    assertThat(backend.stats().pending()).isZero();
  }

  /** Its time-out can no longer end it. */
  @Test
  void aLoadThatCannotBeMeasuredIsAnswered() throws Exception {
    Backend<Integer, String> backend = open(ScriptedCache.PATIENT);
    failing.listen(new Listener());
    CompletableFuture<String> answer = ask(backend, 1);
    CompletableFuture<String> joined = ask(backend, 1);
    fails.set(true);
    replies.next().with("v");
    fails.set(false);
    assertThat(answer).isCompletedWithValue("v1");
    assertThat(joined).isCompletedWithValue("v1");
    assertThat(backend.stats().pending()).isZero();
  }

  @Test
  void aTimeOutThatCannotBeMeasuredEndsItsQueries() {
    Backend<Integer, String> backend =
        open(BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(30)).withBreaker(ONE_FAILURE));
    failing.listen(new Listener());
    where = TIMER_THREADS;
    fails.set(true);
    CompletableFuture<String> answer = ask(backend, 1);
    CompletableFuture<String> joined = ask(backend, 1);
    for (CompletableFuture<String> each : List.of(answer, joined)) {
      assertThatThrownBy(() -> each.get(20, TimeUnit.SECONDS))
          .hasMessageContaining("did not answer within 30 ms");
    }
    assertThat(failures).hasPositiveValue();
    assertThat(backend.stats().pending()).isZero();
  }

  @Test
  void aFailureThatTheBreakerCannotCountEndsItsQuery() throws Exception {
    Backend<Integer, String> backend = open(ScriptedCache.PATIENT.withBreaker(ONE_FAILURE));
    CompletableFuture<String> answer = ask(backend, 1);
    fails.set(true);
    replies.next().fails();
    fails.set(false);
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS)).hasMessageContaining("down");
    assertThat(backend.stats().pending()).isZero();
    CompletableFuture<String> next = ask(backend, 1);
    replies.next().fails();
    assertThat(next).isCompletedExceptionally();
    assertThat(backend.stats().breakerOpen()).isTrue();
  }

  /** Otherwise the breaker would never close again. */
  @Test
  void aTrialThatCannotBeMeasuredReturnsItsPermit() throws Exception {
    Backend<Integer, String> backend = open(ScriptedCache.PATIENT.withBreaker(ONE_FAILURE));
    failing.listen(new Listener());
    CompletableFuture<String> first = ask(backend, 1);
    replies.next().fails();
    assertThat(first).isCompletedExceptionally();
    clock.pass(ONE_FAILURE.openFor());
    assertThat(ask(backend, 1)).isCompletedExceptionally();
    Replies.Call trial = replies.next();
    fails.set(true);
    trial.fails();
    fails.set(false);
    assertThat(backend.stats().breakerOpen()).isTrue();
    clock.pass(ONE_FAILURE.openFor());
    assertThat(ask(backend, 1)).isCompletedExceptionally();
    replies.next().with("v");
    assertThat(backend.stats().breakerOpen()).isFalse();
  }

  /** Otherwise none of the backend's keys would be refreshed again. */
  @Test
  void aRefreshThatCannotBeginIsOver() throws Exception {
    Duration due = Duration.ofSeconds(20);
    BackendSettings settings =
        AgingCache.with(AgingCache.MINUTE.withRefreshAfter(due))
            .withTimeOut(Duration.ofSeconds(5))
            .withBreaker(ONE_FAILURE);
    Backend<Integer, String> backend = open(settings);
    CompletableFuture<String> first = ask(backend, 1);
    replies.next().with("old");
    assertThat(first).isCompletedWithValue("old1");
    CompletableFuture<String> other = ask(backend, 2);
    replies.next().fails();
    assertThat(other).isCompletedExceptionally();
    clock.pass(due);
    where = LOAD_THREADS;
    fails.set(true);
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    Waiting.until(() -> failures.get() > 0);
    fails.set(false);
    clock.pass(settings.timeOut());
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    replies.next().with("new");
    assertThat(ask(backend, 1)).isCompletedWithValue("new1");
  }

  /** The clock fails once: in the first query of a key, which the second one must not wait for. */
  @Test
  void aLoadThatCannotBeginIsOver() {
    AtomicInteger readings = new AtomicInteger();
    Scripted songs = new Scripted();
    try (FanoutCache cache = failingAt(readings).open()) {
      Backend<Integer, String> backend = add(cache, songs);
      for (int key = 1; key <= 4; key++) {
        FanoutRequest request = cache.request();
        readings.set(key);
        CompletableFuture<?> first = request.query(backend, List.of(key));
        readings.set(0);
        CompletableFuture<String> second = cache.request().queryOne(backend, key);
        songs.last().answerAll();
        assertThat(second).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("v" + key);
        assertThat(first).isDone();
      }
    }
  }

  /** Its place among the waiting queries would be lost, and with enough of them the backend. */
  @Test
  void aQueryWhoseDeadlineCannotBeSetDoesNotWait() {
    AtomicInteger readings = new AtomicInteger();
    Scripted songs = new Scripted();
    try (FanoutCache cache = failingAt(readings).requestTimeOut(Duration.ofMinutes(1)).open()) {
      Backend<Integer, String> backend = add(cache, songs);
      FanoutRequest request = cache.request();
      readings.set(2);
      CompletableFuture<String> answer = request.queryOne(backend, 1);
      songs.last().answerAll();
      assertThat(answer).isCompletedWithValue("v1");
      assertThat(backend.stats().pending()).isZero();
    }
  }

  @Test
  void aQueryThatCannotBeginFailsAndDoesNotThrow() throws Exception {
    Backend<Integer, String> backend = open(ScriptedCache.PATIENT);
    CompletableFuture<String> first = ask(backend, 1);
    replies.next().with("v");
    assertThat(first).isCompletedWithValue("v1");
    try (FanoutRequest request = failing.request()) {
      fails.set(true);
      for (CompletableFuture<?> answer :
          List.of(
              request.queryOne(backend, 1),
              request.queryOne(backend, 2),
              request.query(backend, List.of(1)),
              request.queryEach(backend, List.of(1)),
              request.queryUncached(backend, List.of(1)))) {
        assertThat(answer).isCompletedExceptionally();
      }
      fails.set(false);
      assertThat(request.queryOne(backend, 1)).isCompletedWithValue("v1");
    }
    assertThat(backend.stats().pending()).isZero();
  }

  /** Its latency is unknown. */
  @Test
  void aRequestThatCannotBeMeasuredIsAnsweredButNotRecorded() throws Exception {
    Backend<Integer, String> backend = open(ScriptedCache.PATIENT);
    fails.set(true);
    List<FanoutRequest> begun = List.of(failing.request(), failing.request(Duration.ofMinutes(1)));
    fails.set(false);
    for (FanoutRequest request : begun) {
      CompletableFuture<String> answer = request.queryOne(backend, 1);
      if (!answer.isDone()) {
        replies.next().with("v");
      }
      assertThat(answer).isCompletedWithValue("v1");
      request.close();
    }
    FanoutRequest ends = failing.request();
    assertThat(ends.queryOne(backend, 1)).isCompletedWithValue("v1");
    fails.set(true);
    ends.close();
    fails.set(false);
    assertThat(failing.stats().requests()).isZero();
    assertThat(backend.stats().blocked()).isZero();
    try (FanoutRequest next = failing.request()) {
      assertThat(next.queryOne(backend, 1)).isCompletedWithValue("v1");
    }
    assertThat(failing.stats().requests()).isOne();
  }

  /** A builder whose clock fails when it is read this many times more. */
  private static FanoutCacheBuilder failingAt(AtomicInteger readings) {
    return FanoutCache.builder()
        .drivenByHost()
        .clock(
            () -> {
              if (readings.decrementAndGet() == 0) {
                throw new AssertionError("asked to fail");
              }
              return System.nanoTime();
            });
  }
}
