/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application clock that throws. */
@Timeout(60)
class FailingClockTest {
  private static Backend<Integer, String> add(FanoutCache cache, Scripted songs) {
    return cache.add(
        BackendSpec.<Integer, String>of("songs", (k, v) -> 10, songs).with(ScriptedCache.PATIENT));
  }

  @Test
  void aQueryThatCannotBeRecordedIsAnswered() {
    AtomicBoolean fails = new AtomicBoolean();
    Scripted songs = new Scripted();
    FanoutCacheBuilder builder =
        FanoutCache.builder()
            .drivenByHost()
            .clock(
                () -> {
                  if (fails.get()) {
                    throw new AssertionError("asked to fail");
                  }
                  return System.nanoTime();
                });
    try (FanoutCache cache = builder.open()) {
      Backend<Integer, String> backend = add(cache, songs);
      CompletableFuture<String> answer = cache.request().queryOne(backend, 1);
      fails.set(true);
      songs.last().answerAll();
      fails.set(false);
      assertThat(answer).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("v1");
    }
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
