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
  private final Queue<WeakReference<byte[]>> users = new ConcurrentLinkedQueue<>();
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
  void nothingOfALoadThatNeverBegins() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    Loader<Integer, String> loader =
        Loader.onThreads(
            1,
            10,
            keys -> {
              busy.countDown();
              release.await();
              return Map.of();
            });
    Backend<Integer, String> backend = open(b -> b, loader);
    Backend<Integer, String> patient =
        cache.add(
            BackendSpec.<Integer, String>of("patient", (key, value) -> 10, loader)
                .with(ScriptedCache.PATIENT));
    CompletableFuture<String> first = cache.request().queryOne(patient, 1);
    busy.await();
    timesOut(backend, 2, 3);
    assertThat(backend.loads().keysLate()).isZero();
    assertThat(first).isNotDone();
  }

  /** Its request has long ended, and the backend may never answer. */
  @Test
  void notTheContextOfTheirRequest() throws Exception {
    Backend<Integer, String> backend = open(this::carryUsers, keys -> new CompletableFuture<>());
    timesOut(backend, 1);
    assertThatTheOnlyUserIsCollected();
    assertThat(backend.loads().keysLate()).isEqualTo(1);
  }

  /** The queues of most executors hold it until its turn, which may never come. */
  @Test
  void notTheContextOfTheRequestOfALoadThatKeepsItsPlace() throws Exception {
    Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
    Backend<Integer, String> backend =
        open(this::carryUsers, Loader.on(queue::add, keys -> Map.of(1, "too late")));
    timesOut(backend, 1);
    assertThatTheOnlyUserIsCollected();
    queue.remove().run();
    assertThat(queue).isEmpty();
    assertThat(backend.loads().keysLate()).isZero();
  }

  private FanoutCacheBuilder carryUsers(FanoutCacheBuilder builder) {
    return builder.carry(
        () -> {
          byte[] user = new byte[1_000];
          users.add(new WeakReference<>(user));
          return () -> () -> assertThat(user).hasSize(1_000);
        });
  }

  private void assertThatTheOnlyUserIsCollected() throws InterruptedException {
    for (int i = 0; i < 200 && users.element().get() != null; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(users).singleElement().extracting(WeakReference::get).isNull();
  }
}
