/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of timed-out loads, which must not affect newer ones. */
@Timeout(60)
class LateAnswerTest {
  private static final int MOST_ATTEMPTS = 50;

  private final Scripted songs = new Scripted();
  private final ManualClock clock = new ManualClock();
  private FanoutCache cache;

  @AfterEach
  void close() {
    cache.close();
  }

  private Backend<Integer, String> open(boolean local) {
    return open(local, Freshness.FOREVER);
  }

  private Backend<Integer, String> open(boolean local, Freshness freshness) {
    return open(local, BackendSettings.DEFAULTS.withFreshness(freshness));
  }

  private Backend<Integer, String> open(boolean local, BackendSettings settings) {
    FanoutCacheBuilder builder = FanoutCache.builder().drivenByHost().clock(clock);
    if (!local) {
      builder.stores(Elsewhere.factory(Runnable::run));
    }
    cache = builder.open();
    return cache.add(
        BackendSpec.<Integer, String>of("songs", (k, v) -> 10, songs)
            .with(settings.withTimeOut(Duration.ofMillis(30))));
  }

  /** Queries keys whose load times out; returns the call, which may still answer. */
  private Scripted.Call timesOut(Backend<Integer, String> backend, Integer... keys) {
    CompletableFuture<?> answer = cache.request().query(backend, List.of(keys));
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
    return songs.last();
  }

  /**
   * The call of a load that timed out, of whose key a newer load was answered in time with this
   * value, null if it found none. On a busy machine the newer one times out too: then another key
   * is tried.
   */
  private Scripted.Call timesOutBefore(Backend<Integer, String> backend, String newer) {
    for (int key = 1; key <= MOST_ATTEMPTS; key++) {
      Scripted.Call slow = timesOut(backend, key);
      CompletableFuture<String> answer = cache.request().queryOne(backend, key);
      songs.last().answer().complete(newer == null ? Map.of() : Map.of(key, newer));
      if (!answer.isCompletedExceptionally()) {
        assertThat(answer).isCompletedWithValue(newer);
        return slow;
      }
    }
    throw new AssertionError("every newer load timed out");
  }

  private static void answers(Scripted.Call call, String value) {
    Map<Integer, String> values = new HashMap<>();
    call.keys().forEach(key -> values.put(key, value));
    call.answer().complete(values);
  }

  /** Checks the loader's calls, because on a busy machine the answer has already timed out. */
  private void isAskedAgain(Backend<Integer, String> backend, int key) {
    int before = songs.calls.size();
    CompletableFuture<String> unused = cache.request().queryOne(backend, key);
    assertThat(songs.calls).hasSize(before + 1);
    assertThat(songs.last().keys()).containsExactly(key);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itIsKeptIfNothingNewerIsKnown(boolean local) {
    Backend<Integer, String> backend = open(local);
    Scripted.Call slow = timesOut(backend, 1, 2);
    assertThat(backend.invalidate(List.of(2))).isCompleted();
    answers(slow, "late");
    assertThat(cache.request().queryOne(backend, 1)).isCompletedWithValue("late");
    isAskedAgain(backend, 2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itDoesNotOverwriteWhatANewerLoadRead(boolean local) {
    Backend<Integer, String> backend = open(local);
    Scripted.Call slow = timesOutBefore(backend, "new");
    answers(slow, "old");
    assertThat(cache.request().queryOne(backend, slow.keys().get(0))).isCompletedWithValue("new");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itDoesNotBringBackWhatANewerLoadFoundGone(boolean local) {
    Backend<Integer, String> backend = open(local);
    Scripted.Call slow = timesOutBefore(backend, null);
    answers(slow, "old");
    isAskedAgain(backend, slow.keys().get(0));
  }

  /** It arrives while the newer load is in progress. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itEndsWhenANewerLoadFindsTheKeyGone(boolean local) {
    Backend<Integer, String> backend = open(local);
    Scripted.Call slow = timesOut(backend, 1);
    CompletableFuture<?> newer = cache.request().queryOne(backend, 1);
    answers(slow, "old");
    songs.last().answer().complete(Map.of());
    assertThat(newer).isDone();
    isAskedAgain(backend, 1);
  }

  /** The newer value has expired, and the older answer is still remembered. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAbsentKeyIsForgottenWhenANewerLoadFindsIt(boolean local) {
    Backend<Integer, String> backend =
        open(
            local,
            BackendSettings.DEFAULTS
                .withRememberAbsent(Duration.ofHours(1))
                .withFreshness(Freshness.timeToLive(Duration.ofMinutes(1))));
    Scripted.Call slow = timesOut(backend, 1);
    CompletableFuture<?> newer = cache.request().queryOne(backend, 1);
    slow.answer().complete(Map.of());
    answers(songs.last(), "new");
    assertThat(newer).isDone();
    clock.pass(Duration.ofMinutes(2));
    isAskedAgain(backend, 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofTwoLateAnswersTheNewerLoadsCounts(boolean local) {
    Backend<Integer, String> backend = open(local);
    Scripted.Call first = timesOut(backend, 1);
    Scripted.Call second = timesOut(backend, 1);
    answers(second, "second");
    answers(first, "first");
    assertThat(cache.request().queryOne(backend, 1)).isCompletedWithValue("second");
  }

  /** Stops one thread. */
  private static final class Gate {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);
    private volatile Thread stops;

    long pass(long result) {
      if (Thread.currentThread() == stops) {
        reached.countDown();
        try {
          opened.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      return result;
    }
  }

  private static boolean waitsToDisown(Thread thread) {
    return thread.getState() == Thread.State.BLOCKED
        && Stream.of(thread.getStackTrace())
            .anyMatch(
                frame ->
                    frame.getClassName().equals(Owners.class.getName())
                        && frame.getMethodName().equals("disown"));
  }

  /** It stops in the sizer of its value, or where it reads when an absent key will be forgotten. */
  @ParameterizedTest
  @CsvSource({"true, old", "true,", "false,"})
  void itIsNotKeptIfEverythingIsInvalidatedMeanwhile(boolean local, String value) throws Exception {
    Gate gate = new Gate();
    FanoutCacheBuilder builder =
        FanoutCache.builder().drivenByHost().clock(() -> gate.pass(clock.nanoTime()));
    cache = (local ? builder : builder.stores(Elsewhere.factory(Runnable::run))).open();
    Backend<Integer, String> backend =
        cache.add(
            BackendSpec.<Integer, String>of("songs", (k, v) -> gate.pass(10), songs)
                .with(
                    BackendSettings.DEFAULTS
                        .withRememberAbsent(Duration.ofHours(1))
                        .withTimeOut(Duration.ofMillis(30))));
    Scripted.Call slow = timesOut(backend, 1);
    gate.stops =
        new Thread(() -> slow.answer().complete(value == null ? Map.of() : Map.of(1, value)));
    gate.stops.start();
    gate.reached.await();
    Thread other = new Thread(() -> backend.invalidateAll().toCompletableFuture().join());
    other.start();
    Waiting.until(() -> !other.isAlive() || waitsToDisown(other));
    gate.opened.countDown();
    gate.stops.join();
    other.join();
    isAskedAgain(backend, 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itIsAsOldAsItsQuestion(boolean local) {
    Backend<Integer, String> backend = open(local, Freshness.timeToLive(Duration.ofMinutes(1)));
    Scripted.Call slow = timesOut(backend, 1);
    clock.pass(Duration.ofSeconds(40));
    answers(slow, "late");
    assertThat(backend.getIfPresent(1)).isCompletedWithValue("late");
    clock.pass(Duration.ofSeconds(20));
    assertThat(backend.getIfPresent(1)).isCompletedWithValue(null);

    Scripted.Call slower = timesOut(backend, 2);
    clock.pass(Duration.ofSeconds(61));
    answers(slower, "too late");
    assertThat(backend.getIfPresent(2)).isCompletedWithValue(null);
  }
}
