/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue of a loader's threads while the backend hangs: loads that time out leave it. */
@Timeout(60)
class WaitingPlacesTest {
  private final FanoutCache cache = FanoutCache.builder().drivenByHost().open();
  private final LoaderPool pool = LoaderPool.ofThreads(1);
  private final ThreadPoolExecutor own =
      new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(1));
  private final CountDownLatch hangs = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void close() {
    release.countDown();
    cache.close();
    pool.close();
    own.shutdownNow();
  }

  /** Hangs for key 1. */
  private Map<Integer, String> read(List<Integer> keys) throws InterruptedException {
    if (keys.contains(1)) {
      hangs.countDown();
      release.await();
    }
    return keys.stream().collect(Collectors.toMap(Function.identity(), key -> "v" + key));
  }

  /** A loader for one load at once, while another one waits. */
  private Loader<Integer, String> loader(String where) {
    return switch (where) {
      case "threads" -> Loader.onThreads(1, 1, this::read);
      case "lane" -> pool.loader(1, 1, this::read);
      default -> Loader.on(own, this::read);
    };
  }

  private Backend<Integer, String> add(
      String name, Loader<Integer, String> loader, BackendSettings settings) {
    return cache.add(
        BackendSpec.<Integer, String>of(name, (key, value) -> 10, loader).with(settings));
  }

  private Backend<Integer, String> hasty(Loader<Integer, String> loader) {
    return add("hasty", loader, BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(30)));
  }

  private Backend<Integer, String> patient(Loader<Integer, String> loader) {
    return add("patient", loader, ScriptedCache.PATIENT);
  }

  private void timesOut(Backend<Integer, String> backend, int key) {
    CompletableFuture<String> answer = cache.request().queryOne(backend, key);
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
  }

  private CompletableFuture<String> waits(Backend<Integer, String> backend, int key) {
    CompletableFuture<String> answer = cache.request().queryOne(backend, key);
    assertThat(answer).as("key %d waits", key).isNotDone();
    return answer;
  }

  /** Otherwise every later load is rejected at once, although none waits. */
  @ParameterizedTest
  @ValueSource(strings = {"threads", "lane", "executor"})
  void aLoadThatTimesOutGivesItsPlaceToALaterOne(String where) throws Exception {
    Loader<Integer, String> loader = loader(where);
    Backend<Integer, String> hasty = hasty(loader);
    Backend<Integer, String> patient = patient(loader);
    CompletableFuture<String> first = waits(patient, 1);
    hangs.await();
    timesOut(hasty, 2);
    timesOut(hasty, 3);
    CompletableFuture<String> fourth = waits(patient, 4);
    CompletableFuture<String> fifth = cache.request().queryOne(patient, 5);
    assertThatThrownBy(fifth::get).hasCauseInstanceOf(RejectedExecutionException.class);
    release.countDown();
    assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo("v1");
    assertThat(fourth.get(20, TimeUnit.SECONDS)).isEqualTo("v4");
  }

  /** Its lane has a place for it, but all threads of the pool are busy. */
  @Test
  void aLoadThatTimesOutBeforeThePoolHasAThreadGivesItsPlaceToALaterOne() throws Exception {
    Backend<Integer, String> other = patient(pool.loader(1, 1, this::read));
    CompletableFuture<String> first = waits(other, 1);
    hangs.await();
    Loader<Integer, String> loader = pool.loader(1, 1, this::read);
    Backend<Integer, String> hasty = hasty(loader);
    Backend<Integer, String> patient = add("more", loader, ScriptedCache.PATIENT);
    timesOut(hasty, 2);
    CompletableFuture<String> third = waits(patient, 3);
    CompletableFuture<String> fourth = waits(patient, 4);
    CompletableFuture<String> fifth = cache.request().queryOne(patient, 5);
    assertThatThrownBy(fifth::get).hasCauseInstanceOf(RejectedExecutionException.class);
    release.countDown();
    assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo("v1");
    assertThat(third.get(20, TimeUnit.SECONDS)).isEqualTo("v3");
    assertThat(fourth.get(20, TimeUnit.SECONDS)).isEqualTo("v4");
  }

  /** It would look like a quick answer. */
  @ParameterizedTest
  @ValueSource(strings = {"threads", "lane", "executor"})
  void theTimeOfARejectedLoadIsNotThatOfTheBackend(String where) throws Exception {
    Queue<Long> loads = new ConcurrentLinkedQueue<>();
    cache.listen(
        new LatencyListener() {
          @Override
          public void request(long nanos) {
            // Not its time.
          }

          @Override
          public void query(Backend<?, ?> backend, long nanos) {
            // Not its time.
          }

          @Override
          public void load(Backend<?, ?> backend, long nanos) {
            loads.add(nanos);
          }
        });
    Backend<Integer, String> backend = patient(loader(where));
    CompletableFuture<String> first = waits(backend, 1);
    hangs.await();
    CompletableFuture<String> second = waits(backend, 2);
    CompletableFuture<String> third = cache.request().queryOne(backend, 3);
    assertThatThrownBy(third::get).hasCauseInstanceOf(RejectedExecutionException.class);
    assertThat(loads).isEmpty();
    assertThat(backend.stats().loadFailures()).isEqualTo(1);
    release.countDown();
    assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo("v1");
    assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo("v2");
    assertThat(loads).hasSize(2);
  }
}
