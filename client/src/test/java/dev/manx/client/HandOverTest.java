/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocking applications do not delay the single thread on which a remote store answers. */
@Timeout(60)
class HandOverTest {
  private final ExecutorService network = Executors.newSingleThreadExecutor();
  private final CountDownLatch release = new CountDownLatch(1);
  private final FanoutCache cache =
      FanoutCache.builder().drivenByHost().stores(Elsewhere.factory(network)).open();

  @AfterEach
  void close() {
    release.countDown();
    cache.close();
    network.shutdown();
  }

  private Backend<Integer, String> add(String name, Loader<Integer, String> loader)
      throws Exception {
    Backend<Integer, String> backend =
        cache.add(
            BackendSpec.<Integer, String>of(name, (k, v) -> 10, loader)
                .with(ScriptedCache.PATIENT));
    backend.put(1, "kept").toCompletableFuture().get(20, TimeUnit.SECONDS);
    return backend;
  }

  private String ask(Backend<Integer, String> backend, int key) throws Exception {
    return cache.request().queryOne(backend, key).get(20, TimeUnit.SECONDS);
  }

  private void await() {
    await(release);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** More of them than a backend's threads. */
  @Test
  void loadersThatBlockTheirCallerDelayNoHit() throws Exception {
    CountDownLatch called = new CountDownLatch(4);
    Backend<Integer, String> backend =
        add(
            "songs",
            keys -> {
              called.countDown();
              await();
              return CompletableFuture.completedFuture(Map.of());
            });
    CountDownLatch asked = new CountDownLatch(1);
    network.execute(() -> await(asked));
    List<CompletableFuture<String>> waiting =
        List.of(2, 3, 4, 5, 6, 7).stream()
            .map(key -> cache.request().queryOne(backend, key))
            .toList();
    asked.countDown();
    called.await();
    assertThat(ask(backend, 1)).isEqualTo("kept");
    release.countDown();
    for (CompletableFuture<String> each : waiting) {
      assertThat(each.get(20, TimeUnit.SECONDS)).isNull();
    }
  }

  @Test
  void callbacksThatBlockDelayNoOtherBackend() throws Exception {
    Loader<Integer, String> nothing = keys -> CompletableFuture.completedFuture(Map.of());
    Backend<Integer, String> songs = add("songs", nothing);
    Backend<Integer, String> users = add("users", nothing);
    CountDownLatch blocked = new CountDownLatch(4);
    CountDownLatch asked = new CountDownLatch(1);
    network.execute(() -> await(asked));
    for (int i = 0; i < 6; i++) {
      CompletableFuture<?> unused =
          cache
              .request()
              .queryOne(songs, 1)
              .thenRun(
                  () -> {
                    blocked.countDown();
                    await();
                  });
    }
    asked.countDown();
    blocked.await();
    assertThat(ask(users, 1)).isEqualTo("kept");
  }

  /** Otherwise the breaker would stay open until the callback returns. */
  @Test
  void aCallbackThatBlocksDelaysNoTrialOfTheBreaker() throws Exception {
    ManualClock clock = new ManualClock();
    Semaphore calls = new Semaphore(0);
    Loader<Integer, String> down =
        keys -> {
          calls.release();
          return CompletableFuture.failedFuture(new IllegalStateException("down"));
        };
    FanoutCacheBuilder builder = FanoutCache.builder().drivenByHost().clock(clock);
    try (FanoutCache other = builder.stores(Elsewhere.factory(network)).open()) {
      Backend<Integer, String> backend =
          other.add(
              BackendSpec.of("songs", (k, v) -> 10, down)
                  .with(
                      ScriptedCache.PATIENT.withBreaker(
                          new BreakerSettings(1, 1, Duration.ofSeconds(1)))));
      assertThat(other.request().queryOne(backend, 1)).failsWithin(Duration.ofSeconds(20));
      assertThat(calls.tryAcquire()).isTrue();
      clock.pass(Duration.ofSeconds(1));
      CountDownLatch asked = new CountDownLatch(1);
      network.execute(() -> await(asked));
      CompletableFuture<?> unused =
          other.request().queryOne(backend, 1).whenComplete((value, error) -> await());
      asked.countDown();
      assertThat(calls.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
      release.countDown();
    }
  }

  /** A process that has as many threads as it may. */
  @Test
  void anAnswerArrivesThoughNoThreadCanBeCreated() {
    Lane lane =
        new Lane(
            work -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            1);
    CompletableFuture<String> answer = new CompletableFuture<>();
    CompletableFuture<String> next = new CompletableFuture<>();
    lane.then(answer, (value, error) -> next.complete(value));
    CompletionStage<String> handedOver = lane.handOver(answer);
    answer.complete("there");
    assertThat(next).isCompletedWithValue("there");
    assertThat(handedOver).isCompletedWithValue("there");
  }
}
