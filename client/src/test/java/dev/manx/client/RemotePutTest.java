/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Puts and clearing of a remote store whose operations wait until the test runs them. */
@Timeout(60)
class RemotePutTest {
  private final BlockingQueue<Runnable> operations = new LinkedBlockingQueue<>();
  private final Replies songs = new Replies();
  private final FanoutCache cache =
      FanoutCache.builder().drivenByHost().stores(Elsewhere.factory(operations::add)).open();
  private final Backend<Integer, String> backend =
      cache.add(
          BackendSpec.<Integer, String>of("songs", (k, v) -> 10, songs)
              .with(BackendSettings.DEFAULTS.withTimeOut(Duration.ofMinutes(1))));

  @AfterEach
  void close() {
    cache.close();
  }

  private boolean step() {
    Runnable next = operations.poll();
    if (next != null) {
      next.run();
    }
    return next != null;
  }

  private void settle() {
    while (step()) {
      // until no operation waits
    }
  }

  /** Runs operations until a future is complete; some come from threads that run codecs. */
  private <T> T settled(CompletableFuture<T> future) throws Exception {
    CompletableFuture<?> unused = future.whenComplete((value, error) -> operations.add(() -> {}));
    while (!future.isDone()) {
      operations.take().run();
    }
    return future.get(20, TimeUnit.SECONDS);
  }

  /** Runs operations until the backend is asked; the look-up need not be the first. */
  private void untilAsked() throws InterruptedException {
    while (songs.quiet()) {
      Runnable next = operations.poll(10, TimeUnit.MILLISECONDS);
      if (next != null) {
        next.run();
      }
    }
  }

  private String present(int key) throws Exception {
    CompletableFuture<String> answer = backend.getIfPresent(key).toCompletableFuture();
    return settled(answer);
  }

  /** Times of hits show whether a store answers slowly, for example during a resize. */
  @Test
  void aQueryThatTheStoreAnswersAloneIsReportedAsAHit() throws Exception {
    List<String> seen = new ArrayList<>();
    cache.listen(
        new LatencyListener() {
          @Override
          public void request(long nanos) {}

          @Override
          public void query(Backend<?, ?> of, long nanos) {
            seen.add("query");
          }

          @Override
          public void load(Backend<?, ?> of, long nanos) {}

          @Override
          public void hit(Backend<?, ?> of, long nanos) {
            seen.add("hit " + of.name());
          }
        });
    settled(backend.put(1, "one").toCompletableFuture());
    settle();
    try (FanoutRequest request = cache.request()) {
      assertThat(settled(request.query(backend, Set.of(1)).toCompletableFuture()))
          .containsEntry(1, "one");
      assertThat(seen).containsExactly("query", "hit songs");
      CompletableFuture<?> missing = request.query(backend, Set.of(1, 2)).toCompletableFuture();
      untilAsked();
      songs.next().with("value ");
      settled(missing);
    }
    assertThat(seen).containsExactly("query", "hit songs", "query");
  }

  @Test
  void clearingWaitsForValuesOnTheirWay() throws Exception {
    CompletableFuture<String> reading = cache.request().queryOne(backend, 1);
    settle();
    songs.next().with("v");
    CompletableFuture<Void> cleared = backend.invalidateAll().toCompletableFuture();
    assertThat(cleared).as("the value read before is on its way").isNotDone();
    assertThat(settled(reading)).isEqualTo("v1");
    settled(cleared);
    assertThat(present(1)).isNull();
  }

  @Test
  void theValueBeforeAPutIsGoneBeforeTheNewOneIsSent() throws Exception {
    CompletableFuture<Void> first = backend.put(1, "first").toCompletableFuture();
    settled(first);
    CompletableFuture<Void> second = backend.put(1, "second").toCompletableFuture();
    assertThat(step()).isTrue();
    assertThat(second).isNotDone();
    settled(second);
    assertThat(present(1)).isEqualTo("second");
  }
}
