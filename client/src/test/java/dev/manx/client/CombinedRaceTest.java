/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.level.FakeLevel;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.level.SecondLevel;
import dev.manx.shares.CacheStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All that answers without the backend, at once: young values, refreshed ones, absent keys, old
 * values while the backend fails or its breaker is open, late answers, puts, and a second level
 * with another server. No query that begins after a change finds an earlier state.
 */
@Timeout(120)
@Tag("slow")
class CombinedRaceTest {
  private static final int KEYS = 6;
  private static final int THREADS = 4;
  private static final int STEPS = 1_200;
  private static final int MOST_ROUNDS = 10;

  private final long seed = System.nanoTime();
  private final ScheduledExecutorService network = Executors.newScheduledThreadPool(2);
  private final AtomicIntegerArray versions = new AtomicIntegerArray(KEYS);
  // Of each key at the end of its last change.
  private final AtomicIntegerArray changed = new AtomicIntegerArray(KEYS);
  private final Object[] writers = new Object[KEYS];
  private final AtomicInteger loads = new AtomicInteger();
  private final List<FanoutCache> caches = new ArrayList<>();

  private static boolean isAbsent(int version) {
    return version % 5 == 4;
  }

  @AfterEach
  void close() {
    caches.forEach(FanoutCache::close);
    network.shutdownNow();
  }

  /** Reads at once, and answers soon, late, or by a failure. */
  private CompletableFuture<Map<Integer, String>> load(List<Integer> keys) {
    Map<Integer, String> read = new HashMap<>();
    for (int key : keys) {
      int version = versions.get(key);
      if (!isAbsent(version)) {
        read.put(key, Integer.toString(version));
      }
    }
    int call = loads.incrementAndGet();
    CompletableFuture<Map<Integer, String>> answer = new CompletableFuture<>();
    long micros = call % 11 == 0 ? 8_000 + call % 7_000 : call * 37L % 1_500;
    boolean fails = call / 40 % 4 == 0 && call % 3 > 0;
    network.schedule(
        () ->
            fails
                ? answer.completeExceptionally(new IllegalStateException("now and then"))
                : answer.complete(read),
        micros,
        TimeUnit.MICROSECONDS);
    return answer;
  }

  private Backend<Integer, String> server(String kind, FakeLevel level) {
    FanoutCacheBuilder builder = FanoutCache.builder().capacity(1 << 20).drivenByHost();
    if (kind.equals("shared")) {
      builder.strategy(CacheStrategy.named("cache.shared"));
    }
    if (kind.equals("remote")) {
      builder.stores(Elsewhere.factory(network));
    }
    if (kind.equals("two levels")) {
      LevelSettings settings = LevelSettings.of("shop").withTimeout(Duration.ofMillis(20));
      builder.secondLevel(new SecondLevel(new SlowLink(level, network, seed), settings));
    }
    FanoutCache cache = builder.open();
    caches.add(cache);
    Freshness fresh =
        new Freshness(
            Duration.ofMillis(10), Duration.ofMillis(4), 0.5, Duration.ZERO, Duration.ofMillis(30));
    return cache.add(
        BackendSpec.<Integer, String>of("songs", (k, v) -> 32, this::load)
            .with(SecondLevelServers.TEXT)
            .with(
                BackendSettings.DEFAULTS
                    .withTimeOut(Duration.ofMillis(8))
                    .withRememberAbsent(Duration.ofMillis(5))
                    .withFreshness(fresh)
                    .withBreaker(new BreakerSettings(10, 0.5, Duration.ofMillis(5)))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"heap", "shared", "two levels", "remote"})
  void noQueryFindsAStateBeforeTheLastChange(String kind) throws Exception {
    for (int key = 0; key < KEYS; key++) {
      writers[key] = new Object();
    }
    FakeLevel level = new FakeLevel();
    Backend<Integer, String> here = server(kind, level);
    Backend<Integer, String> there = server(kind, level);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
    try {
      // On a busy machine one round may not have met everything.
      int round = 0;
      do {
        List<Future<?>> work = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
          SplittableRandom random = new SplittableRandom(seed + round * THREADS + t);
          work.add(threads.submit(() -> steps(here, random)));
        }
        work.add(threads.submit(() -> reads(there)));
        for (Future<?> one : work) {
          one.get();
        }
        round++;
      } while (round < MOST_ROUNDS && !hasMetAll(here, level));
    } finally {
      threads.shutdownNow();
    }
    BackendStats stats = here.stats();
    assertThat(stats.refreshes()).isPositive();
    assertThat(stats.staleAnswers()).isPositive();
    assertThat(stats.absentHits()).isPositive();
    assertThat(stats.loadTimeOuts()).isPositive();
    assertThat(stats.broken()).isPositive();
    assertThat(stats.level().hits()).isGreaterThanOrEqualTo(level.values.isEmpty() ? 0 : 1);
  }

  private static boolean hasMetAll(Backend<Integer, String> songs, FakeLevel level) {
    BackendStats stats = songs.stats();
    return stats.refreshes() > 0
        && stats.staleAnswers() > 0
        && stats.absentHits() > 0
        && stats.loadTimeOuts() > 0
        && stats.broken() > 0
        && (stats.level().hits() > 0 || level.values.isEmpty());
  }

  private Void steps(Backend<Integer, String> songs, SplittableRandom random) throws Exception {
    for (int i = 0; i < STEPS; i++) {
      int key = random.nextInt(KEYS);
      switch (random.nextInt(30)) {
        case 0 -> change(songs, key, false);
        case 1 -> change(songs, key, true);
        case 2 -> changeAll(songs);
        default -> check(songs, List.of(key, random.nextInt(KEYS)));
      }
      if (random.nextInt(8) == 0) {
        TimeUnit.MICROSECONDS.sleep(random.nextInt(2_000));
      }
    }
    return null;
  }

  /** Another server, which is not notified of changes: it only fills the second level. */
  private Void reads(Backend<Integer, String> songs) throws Exception {
    for (int i = 0; i < STEPS; i++) {
      try (FanoutRequest request = caches.get(1).request()) {
        request.queryEach(songs, List.of(i % KEYS)).get(20, TimeUnit.SECONDS);
      }
      TimeUnit.MICROSECONDS.sleep(500);
    }
    return null;
  }

  private void change(Backend<Integer, String> songs, int key, boolean puts) throws Exception {
    // The application orders its own writes of a key.
    synchronized (writers[key]) {
      int version = versions.incrementAndGet(key);
      (puts && !isAbsent(version)
              ? songs.put(key, Integer.toString(version))
              : songs.invalidate(List.of(key)))
          .toCompletableFuture()
          .handle((done, failure) -> null)
          .get(20, TimeUnit.SECONDS);
      changed.accumulateAndGet(key, version, Math::max);
    }
  }

  private void changeAll(Backend<Integer, String> songs) throws Exception {
    int[] all = new int[KEYS];
    for (int key = 0; key < KEYS; key++) {
      // A put under way could overwrite a later version with its own.
      synchronized (writers[key]) {
        all[key] = versions.get(key);
      }
    }
    songs
        .invalidateAll()
        .toCompletableFuture()
        .handle((done, failure) -> null)
        .get(20, TimeUnit.SECONDS);
    for (int key = 0; key < KEYS; key++) {
      changed.accumulateAndGet(key, all[key], Math::max);
    }
  }

  private void check(Backend<Integer, String> songs, List<Integer> keys) throws Exception {
    int[] least = keys.stream().mapToInt(changed::get).toArray();
    QueryResults<Integer, String> answer;
    try (FanoutRequest request = caches.get(0).request()) {
      answer = request.queryEach(songs, keys).get(20, TimeUnit.SECONDS);
    }
    for (int i = 0; i < keys.size(); i++) {
      int key = keys.get(i);
      int newest = versions.get(key);
      String value = answer.found().get(key);
      if (value != null) {
        assertThat(Integer.parseInt(value))
            .as("version of key %d, seed %d", key, seed)
            .isBetween(least[i], newest);
      } else if (!answer.failed().containsKey(key)) {
        assertThat(IntStream.rangeClosed(least[i], newest))
            .as("versions since a key %d that was absent, seed %d", key, seed)
            .anyMatch(CombinedRaceTest::isAbsent);
      }
    }
  }
}
