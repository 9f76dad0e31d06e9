/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.invalidation.KeyText;
import dev.manx.client.level.FakeLevel;
import dev.manx.client.level.SecondLevel;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Application code that blocks in every callback of the cache: freshness continues. */
@Timeout(120)
class BlockedCallbacksTest {
  private static final int CALLBACKS = 16;

  /** Threads of one backend for callbacks of invalidations and puts. */
  private static final int PLACES = 4;

  private final CountDownLatch release = new CountDownLatch(1);
  private final ManualClock clock = new ManualClock();
  private final Thread test = Thread.currentThread();
  private FanoutCache cache;

  @AfterEach
  void close() {
    release.countDown();
    cache.close();
  }

  private void await() {
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Backend<Integer, String> add(
      String name, BackendSettings settings, Loader<Integer, String> loader) {
    return cache.add(BackendSpec.<Integer, String>of(name, (k, v) -> 10, loader).with(settings));
  }

  @Test
  void loadersThatBlockARefreshHoldUpNoTimeOut() throws Exception {
    cache = FanoutCache.builder().drivenByHost().clock(clock).open();
    CountDownLatch called = new CountDownLatch(CALLBACKS);
    BackendSettings fresh =
        BackendSettings.DEFAULTS.withFreshness(
            Freshness.timeToLive(Duration.ofHours(1)).withRefreshAfter(Duration.ofMinutes(1)));
    List<Backend<Integer, String>> backends = new ArrayList<>();
    for (int i = 0; i < CALLBACKS; i++) {
      Backend<Integer, String> backend =
          add(
              "blocks" + i,
              fresh,
              keys -> {
                called.countDown();
                await();
                return CompletableFuture.completedFuture(Map.of());
              });
      assertThat(backend.put(1, "v")).isCompleted();
      backends.add(backend);
    }
    clock.pass(Duration.ofMinutes(2));
    for (Backend<Integer, String> backend : backends) {
      assertThat(cache.request().queryOne(backend, 1)).isCompletedWithValue("v");
    }
    assertThat(called.await(20, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<String> late = cache.request().queryOne(hanging(), 1);
    assertThatThrownBy(() -> late.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutException.class);
  }

  private Backend<Integer, String> hanging() {
    return add(
        "hangs",
        BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(50)),
        keys -> new CompletableFuture<>());
  }

  /** Blocks this many threads that deliver time-outs. */
  private void blockTimeOuts(Backend<Integer, String> backend) throws Exception {
    CountDownLatch blocked = new CountDownLatch(CALLBACKS);
    Queue<Integer> toAsk = new ConcurrentLinkedQueue<>();
    for (int key = 0; key < CALLBACKS; key++) {
      toAsk.add(key);
    }
    for (Integer key = toAsk.poll(); key != null; key = toAsk.poll()) {
      int asked = key;
      CompletableFuture<?> unused =
          cache
              .request()
              .queryOne(backend, key)
              .whenComplete(
                  (value, error) -> {
                    if (Thread.currentThread() == test) {
                      // It had already timed out: tries again.
                      toAsk.add(asked);
                    } else {
                      blocked.countDown();
                      await();
                    }
                  });
    }
    assertThat(blocked.await(20, TimeUnit.SECONDS)).isTrue();
  }

  /** Never answers a put. */
  private static final class Deaf<K, V> extends EmptyStore<K, V> {
    @Override
    public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
      return new CompletableFuture<>();
    }
  }

  @Test
  void callbacksOfTimeOutsThatBlockHoldUpNoInvalidation() throws Exception {
    cache =
        FanoutCache.builder()
            .drivenByHost()
            .stores(
                new StoreFactory() {
                  @Override
                  public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
                    return new Deaf<>();
                  }
                })
            .open();
    blockTimeOuts(hanging());
    Backend<Integer, String> songs =
        add(
            "songs",
            BackendSettings.DEFAULTS.withTimeOut(Duration.ofSeconds(1)),
            keys -> CompletableFuture.completedFuture(Map.of(1, "v")));
    assertThat(cache.request().queryOne(songs, 1).get(20, TimeUnit.SECONDS)).isEqualTo("v");
    // Waits for the put of the value, which is given up after the time-out.
    songs.invalidate(List.of(1)).toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** A channel or a store completes operations on a thread that it shares with others. */
  @Test
  void callbacksOfInvalidationsDoNotRunOnTheChannelsThread() throws Exception {
    CompletableFuture<Void> published = new CompletableFuture<>();
    cache =
        FanoutCache.builder()
            .drivenByHost()
            .invalidations(
                new InvalidationChannel() {
                  @Override
                  public void open(Listener listener) {}

                  @Override
                  public CompletionStage<Void> publish(byte[] message) {
                    return published;
                  }

                  @Override
                  public void close() {}
                })
            .open();
    Backend<Integer, String> songs = hanging();
    List<CompletableFuture<Thread>> threads = new ArrayList<>();
    for (CompletionStage<Void> stage :
        List.of(songs.invalidate(List.of(1)), songs.invalidateAll(), songs.put(1, "v"))) {
      threads.add(stage.thenApply(done -> Thread.currentThread()).toCompletableFuture());
    }
    published.complete(null);
    for (CompletableFuture<Thread> thread : threads) {
      assertThat(thread.get(20, TimeUnit.SECONDS)).isNotSameAs(test);
    }
  }

  @Test
  void callbacksOfQueriesMayWaitForInvalidations() throws Exception {
    ExecutorService network = Executors.newSingleThreadExecutor();
    try {
      cache = FanoutCache.builder().drivenByHost().stores(Elsewhere.factory(network)).open();
      Backend<Integer, String> songs =
          add(
              "songs",
              BackendSettings.DEFAULTS,
              keys -> CompletableFuture.completedFuture(Map.of(keys.get(0), "v")));
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int key = 0; key < CALLBACKS; key++) {
        // A hit: its callback runs where queries are completed.
        songs.put(key, "v").toCompletableFuture().get(20, TimeUnit.SECONDS);
      }
      for (int key = 0; key < CALLBACKS; key++) {
        List<Integer> asked = List.of(key);
        all.add(
            cache
                .request()
                .query(songs, asked)
                .thenAccept(values -> songs.invalidate(asked).toCompletableFuture().join()));
      }
      for (CompletableFuture<Void> each : all) {
        each.get(20, TimeUnit.SECONDS);
      }
    } finally {
      network.shutdown();
    }
  }

  @Test
  void callbacksOfALookDoNotRunOnTheStoresThread() throws Exception {
    Queue<Runnable> operations = new ConcurrentLinkedQueue<>();
    cache = FanoutCache.builder().drivenByHost().stores(Elsewhere.factory(operations::add)).open();
    Backend<Integer, String> songs = hanging();
    CompletableFuture<Thread> thread =
        songs.getIfPresent(1).thenApply(value -> Thread.currentThread()).toCompletableFuture();
    operations.remove().run();
    assertThat(thread.get(20, TimeUnit.SECONDS)).isNotSameAs(test);
  }

  /** Counts messages that name keys. */
  private static final class Counting implements InvalidationChannel {
    private static final byte KEYS = 1;

    private final AtomicInteger messages = new AtomicInteger();

    @Override
    public void open(Listener listener) {}

    @Override
    public CompletionStage<Void> publish(byte[] message) {
      // Behind the format.
      messages.addAndGet(message[1] == KEYS ? 1 : 0);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }

  /** The second level confirms the deletions of all on a thread of the network. */
  @Test
  void callbacksOfPutsThatBlockHoldUpNoMessageToTheOtherServers() throws Exception {
    FakeLevel level = new FakeLevel();
    Counting channel = new Counting();
    cache =
        FanoutCache.builder()
            .drivenByHost()
            .invalidations(channel)
            .secondLevel(new SecondLevel(level.link(), SecondLevelServers.settings()))
            .open();
    Backend<Integer, String> songs =
        cache.add(
            BackendSpec.<Integer, String>of(
                    "songs", (k, v) -> 10, keys -> new CompletableFuture<>())
                .with(SecondLevelServers.TEXT)
                .with(KeyText.INTEGER));
    CompletableFuture<Void> confirmed = new CompletableFuture<>();
    level.deletes = confirmed;
    CountDownLatch blocked = new CountDownLatch(PLACES);
    for (int key = 0; key < PLACES; key++) {
      CompletionStage<Void> unused =
          songs
              .put(key, "v")
              .thenRun(
                  () -> {
                    blocked.countDown();
                    await();
                  });
    }
    confirmed.complete(null);
    assertThat(blocked.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(channel.messages).hasValue(PLACES);

    CompletableFuture<Void> next = new CompletableFuture<>();
    level.deletes = next;
    CompletionStage<Void> invalidated = songs.invalidate(List.of(5));
    next.complete(null);
    assertThat(channel.messages).hasValue(PLACES + 1);
    assertThat(invalidated.toCompletableFuture()).isNotDone();

    level.away = true;
    CompletionStage<Void> unused = songs.invalidate(List.of(6));
    assertThat(channel.messages).hasValue(PLACES + 2);
    level.away = false;
    Waiting.until(() -> songs.stats().level().unconfirmed() == 0);
    Waiting.until(() -> channel.messages.get() == PLACES + 3);
  }
}
