/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.level.FakeLevel;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.level.SecondLevel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loaders that hang on the cache's own threads: later loads of the backend run. */
@Timeout(60)
class HangingLoadersTest {
  private static final BreakerSettings BREAKER =
      new BreakerSettings(4, 0.5, Duration.ofSeconds(10));
  private static final Duration TIME_OUT = Duration.ofMillis(50);

  /** More than a backend's threads for loads. */
  private static final int HANG = 7;

  private final ManualClock clock = new ManualClock();
  private final CountDownLatch release = new CountDownLatch(1);
  private final BlockingQueue<Integer> called = new LinkedBlockingQueue<>();
  private final Loader<Integer, String> loader = this::load;
  private volatile boolean hangs;
  private volatile boolean fails;
  private FanoutCache cache = FanoutCache.builder().drivenByHost().clock(clock).open();

  @AfterEach
  void close() {
    release.countDown();
    cache.close();
  }

  private CompletionStage<Map<Integer, String>> load(List<Integer> keys) {
    called.add(keys.get(0));
    if (hangs) {
      await(release);
    }
    return fails
        ? CompletableFuture.failedFuture(new IllegalStateException("down"))
        : CompletableFuture.completedFuture(Map.of(keys.get(0), "new"));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Backend<Integer, String> add(BackendSettings settings) {
    return cache.add(
        BackendSpec.<Integer, String>of("songs", (k, v) -> 10, loader)
            .with(settings.withTimeOut(TIME_OUT)));
  }

  private Backend<Integer, String> refreshed() {
    return add(
        BackendSettings.DEFAULTS.withFreshness(
            Freshness.timeToLive(Duration.ofHours(1)).withRefreshAfter(Duration.ofMinutes(1))));
  }

  private void refresh(Backend<Integer, String> backend, int key) {
    assertThat(backend.put(key, "old")).isCompleted();
    clock.pass(Duration.ofMinutes(2));
    assertThat(cache.request().queryOne(backend, key)).isCompletedWithValue("old");
  }

  /** A refresh is dropped if it waits as long for a thread as earlier ones need to become stuck. */
  private void refreshUntilCalled(Backend<Integer, String> backend, int key)
      throws InterruptedException {
    Integer call = null;
    while (call == null) {
      refresh(backend, key);
      call = called.poll(2, TimeUnit.SECONDS);
    }
    assertThat(call).as("call of the loader").isEqualTo(key);
  }

  private Integer nextCall() throws InterruptedException {
    return called.poll(20, TimeUnit.SECONDS);
  }

  @Test
  void refreshesThatHangLeaveThreadsForLaterOnes() throws Exception {
    Backend<Integer, String> backend = refreshed();
    hangs = true;
    for (int key = 0; key < HANG; key++) {
      refreshUntilCalled(backend, key);
    }
    hangs = false;
    refreshUntilCalled(backend, HANG);
    while (!"new".equals(backend.getIfPresent(HANG).toCompletableFuture().join())) {
      Thread.onSpinWait();
    }
  }

  private Backend<Integer, String> opened() throws Exception {
    Backend<Integer, String> backend = add(BackendSettings.DEFAULTS.withBreaker(BREAKER));
    fails = true;
    while (!backend.stats().breakerOpen()) {
      assertThat(cache.request().queryOne(backend, 1)).isCompletedExceptionally();
      assertThat(nextCall()).isNotNull();
    }
    fails = false;
    return backend;
  }

  /** Repeats until the loader is called for it: the previous trial may not have ended yet. */
  private void tryOut(Backend<Integer, String> backend, int key) {
    Integer call = null;
    for (int pass = 0; call == null; pass++) {
      clock.pass(BREAKER.openFor());
      CompletableFuture<String> answer = cache.request().queryOne(backend, key);
      // The trial of an earlier pass may have closed the breaker in the meantime.
      if (pass == 0 || backend.stats().breakerOpen()) {
        assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
            .hasCauseInstanceOf(BreakerOpenException.class);
      }
      call = called.poll();
      while (call != null && call < key) {
        // Another trial of an earlier key, which was queried again.
        call = called.poll();
      }
    }
    assertThat(call).isEqualTo(key);
  }

  @Test
  void trialsThatHangLeaveThreadsForLaterOnes() throws Exception {
    Backend<Integer, String> backend = opened();
    hangs = true;
    for (int key = 0; key < HANG; key++) {
      tryOut(backend, key);
    }
    hangs = false;
    tryOut(backend, HANG);
    while (backend.stats().breakerOpen()) {
      Thread.onSpinWait();
    }
  }

  /** A miss of a remote store calls the loader on the cache's threads too. */
  @Test
  void queriesThatHangLeaveThreadsForLaterOnes() throws Exception {
    cache.close();
    Queue<Runnable> network = new ConcurrentLinkedQueue<>();
    cache =
        FanoutCache.builder()
            .drivenByHost()
            .clock(clock)
            .stores(Elsewhere.factory(network::add))
            .open();
    Backend<Integer, String> backend = add(BackendSettings.DEFAULTS);
    hangs = true;
    for (int key = 0; key < HANG; key++) {
      CompletableFuture<String> answer = cache.request().queryOne(backend, key);
      network.remove().run();
      assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(TimeoutException.class);
    }
    hangs = false;
    String loaded = null;
    while (loaded == null) {
      CompletableFuture<String> answer = cache.request().queryOne(backend, HANG);
      network.remove().run();
      loaded = answer.exceptionally(late -> null).get(20, TimeUnit.SECONDS);
    }
    assertThat(loaded).isEqualTo("new");
  }

  private static void ignoreInterrupts(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      await(latch);
      Thread.interrupted();
    }
  }

  /** False if the second level answered so soon that the loader runs on the caller's thread. */
  private static boolean onThreadForLoads() {
    return Thread.currentThread().getName().startsWith("manx-load");
  }

  /** The second level has answered long before its own time-out. */
  @Test
  void aLoadWithoutAThreadAfterTheSecondLevelEndsWithTheBackendsTimeOut() throws Exception {
    cache.close();
    cache =
        FanoutCache.builder()
            .drivenByHost()
            .clock(clock)
            .secondLevel(
                new SecondLevel(
                    new FakeLevel().link(),
                    LevelSettings.of("shop").withTimeout(Duration.ofMinutes(1))))
            .open();
    Backend<Integer, String> backend =
        cache.add(
            BackendSpec.<Integer, String>of(
                    "songs",
                    (k, v) -> 10,
                    keys -> {
                      if (onThreadForLoads()) {
                        called.add(keys.get(0));
                        ignoreInterrupts(release);
                      }
                      return CompletableFuture.completedFuture(Map.of());
                    })
                .with(SecondLevelServers.TEXT)
                .with(BackendSettings.DEFAULTS.withTimeOut(TIME_OUT)));
    int key = 0;
    while (called.size() < LoadLane.MOST_STUCK + LoadLane.AT_ONCE) {
      // Is dropped if it waits as long for a thread as earlier ones need to become stuck.
      int begun = called.size();
      CompletableFuture<String> next = cache.request().queryOne(backend, key++);
      while (!next.isDone() && called.size() == begun) {
        Thread.onSpinWait();
      }
    }
    long before = backend.stats().notBegun();
    CompletableFuture<String> answer = cache.request().queryOne(backend, key);
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
    assertThat(backend.stats().notBegun()).isGreaterThan(before);
    assertThat(called).doesNotContain(key);
  }
}
