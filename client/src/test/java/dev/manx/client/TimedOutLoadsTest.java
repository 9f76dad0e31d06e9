/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a backend remembers of loads that have timed out, until their answers arrive. */
@Timeout(60)
class TimedOutLoadsTest {
  private final Scripted songs = new Scripted();
  private final CountDownLatch release = new CountDownLatch(1);
  private FanoutCache cache;

  @AfterEach
  void close() {
    release.countDown();
    cache.close();
  }

  private Backend<Integer, String> open(
      UnaryOperator<FanoutCacheBuilder> how, Loader<Integer, String> loader) {
    cache = how.apply(FanoutCache.builder().drivenByHost()).open();
    return cache.add(
        BackendSpec.<Integer, String>of("songs", (key, value) -> 10, loader)
            .with(BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(30))));
  }

  private Backend<Integer, String> open(boolean local) {
    return open(b -> local ? b : b.stores(Elsewhere.factory(Runnable::run)), songs);
  }

  private void timesOut(Backend<Integer, String> backend, Integer... keys) {
    CompletableFuture<?> answer = cache.request().query(backend, List.of(keys));
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theirKeysUntilTheyAreAnswered(boolean local) {
    Backend<Integer, String> backend = open(local);
    timesOut(backend, 1, 2);
    assertThat(backend.loads().keysLate()).isEqualTo(2);
    songs.last().answer().complete(Map.of(1, "late"));
    assertThat(backend.loads().keysLate()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingAfterTheyHaveFailed(boolean local) {
    Backend<Integer, String> backend = open(local);
    timesOut(backend, 1, 2);
    songs.last().answer().completeExceptionally(new IllegalStateException("down"));
    assertThat(backend.loads().keysLate()).isZero();
  }

  @Test
  void nothingOfALoadThatNeverBegins() {
    Backend<Integer, String> backend =
        open(
            b -> b,
            Loader.onThreads(
                1,
                10,
                keys -> {
                  release.await();
                  return Map.of();
                }));
    timesOut(backend, 1);
    timesOut(backend, 2, 3);
    assertThat(backend.loads().keysLate()).isEqualTo(1);
  }

  /** Its request has long ended, and the backend may never answer. */
  @Test
  void notTheContextOfTheirRequest() throws Exception {
    Queue<WeakReference<byte[]>> users = new ConcurrentLinkedQueue<>();
    Backend<Integer, String> backend =
        open(
            b ->
                b.carry(
                    () -> {
                      byte[] user = new byte[1_000];
                      users.add(new WeakReference<>(user));
                      return () -> () -> assertThat(user).hasSize(1_000);
                    }),
            keys -> new CompletableFuture<>());
    timesOut(backend, 1);
    for (int i = 0; i < 200 && users.element().get() != null; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(users).singleElement().extracting(WeakReference::get).isNull();
    assertThat(backend.loads().keysLate()).isEqualTo(1);
  }
}
