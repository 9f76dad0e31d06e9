/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.measure.MeasuredStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.shares.CacheStrategy;
import dev.manx.shares.MissCurve;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Policies that need shadow hits or miss curves, on a live cache: space goes from the backend whose
 * keys all fit to the one whose keys do not.
 */
@Tag("slow")
class MeasuredSharesTest {
  private static final long MIB = 1 << 20;
  private static final int VALUE_BYTES = 4_000;
  private static final int MANY = 2_000;
  private static final int FEW = 50;

  private final ManualClock clock = new ManualClock();

  /** A store that does not report evictions. */
  private static final StoreFactory ELSEWHERE = Elsewhere.factory(Runnable::run);

  private FanoutCacheBuilder builder(String store, String signal) {
    String text =
        "{ capacity: 8MiB, policy: { policy: cache.cliffhanger, tax: 5%, floor: 256KiB,"
            + " page: 16KiB, signal: "
            + signal
            + " } }";
    FanoutCacheBuilder builder =
        FanoutCache.builder()
            .clock(clock)
            .drivenByHost()
            .configure(ConfigNode.parse("cache.yaml", text));
    return store.equals("elsewhere")
        ? builder.stores(ELSEWHERE)
        : builder.configure(ConfigNode.parse("cache.yaml", "store: " + store));
  }

  private static Backend<Integer, byte[]> add(FanoutCache cache, String name) {
    return cache.add(
        BackendSpec.of(
            name,
            (key, value) -> value.length,
            keys -> {
              Map<Integer, byte[]> values = new HashMap<>();
              keys.forEach(key -> values.put(key, new byte[VALUE_BYTES]));
              return CompletableFuture.completedFuture(values);
            }));
  }

  private static void ask(
      FanoutCache cache, Backend<Integer, byte[]> backend, int keys, SplittableRandom random) {
    try (FanoutRequest request = cache.request()) {
      int first = random.nextInt(keys);
      assertThat(request.query(backend, List.of(first, random.nextInt(keys))).join())
          .containsKey(first);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "caffeine, shadow-hits",
    "lru, shadow-hits",
    "caffeine, miss-curve",
    "lru, miss-curve",
    "elsewhere, miss-curve"
  })
  void spaceGoesWhereKeysDoNotFit(String store, String signal) {
    try (FanoutCache cache = builder(store, signal).open()) {
      Backend<Integer, byte[]> large = add(cache, "large");
      Backend<Integer, byte[]> small = add(cache, "small");
      assertThat(large.stats().allocatedBytes()).isEqualTo(4 * MIB);
      SplittableRandom random = new SplittableRandom(5);
      for (int tick = 0; tick < 40; tick++) {
        for (int i = 0; i < 1_000; i++) {
          ask(cache, large, MANY, random);
          ask(cache, small, FEW, random);
        }
        clock.pass(Duration.ofSeconds(5));
        cache.tick();
      }
      assertThat(cache.stats().loop().failures()).isZero();
      assertThat(large.stats().allocatedBytes()).isGreaterThan(6 * MIB);
      assertThat(large.stats().allocatedBytes() + small.stats().allocatedBytes())
          .isEqualTo(8 * MIB);
    }
  }

  /** Threads query and invalidate while the loop measures and moves shares towards the misses. */
  @ParameterizedTest
  @CsvSource({"caffeine, shadow-hits", "lru, shadow-hits", "caffeine, miss-curve"})
  void underThreadsToo(String store, String signal) throws Exception {
    String fast =
        "{ policy: cache.cliffhanger, interval: 20ms, window: 20ms, tax: 5%, floor: 256KiB,"
            + " page: 16KiB, signal: "
            + signal
            + " }";
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (FanoutCache cache =
        FanoutCache.builder()
            .configure(
                ConfigNode.parse(
                    "cache.yaml", "{ capacity: 8MiB, store: " + store + ", policy: " + fast + " }"))
            .open()) {
      Backend<Integer, byte[]> large = add(cache, "large");
      Backend<Integer, byte[]> small = add(cache, "small");
      List<Future<?>> work = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        SplittableRandom random = new SplittableRandom(t);
        work.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 5_000; i++) {
                    ask(cache, large, MANY, random);
                    ask(cache, small, FEW, random);
                    large.invalidate(List.of(random.nextInt(MANY)));
                  }
                }));
      }
      for (Future<?> one : work) {
        one.get(60, TimeUnit.SECONDS);
      }
      cache.tick();
      assertThat(cache.stats().loop().failures()).isZero();
      assertThat(large.stats().allocatedBytes())
          .as("of equal shares of 4 MiB")
          .isGreaterThan(4 * MIB);
      assertThat(large.stats().storeFailures()).isZero();
    } finally {
      threads.shutdownNow();
    }
  }

  /** No load follows them, so space would spare nothing. */
  @ParameterizedTest
  @CsvSource({
    "lru, shadow-hits, 0s",
    "caffeine, miss-curve, 0s",
    "caffeine, miss-curve, 1h",
    "elsewhere, miss-curve, 0s",
    "elsewhere, miss-curve, 1h"
  })
  void probesOfTheCacheAreNotMeasured(String store, String signal, String timeToLive) {
    ConfigNode aging =
        ConfigNode.parse("cache.yaml", "backend: { time-to-live: " + timeToLive + " }");
    try (FanoutCache cache = builder(store, signal).configure(aging).open()) {
      Backend<Integer, byte[]> backend = add(cache, "one");
      for (int key = 0; key < MANY + MANY; key++) {
        try (FanoutRequest request = cache.request()) {
          request.query(backend, List.of(key)).join();
        }
      }
      MissCurve loaded = curve(backend);
      for (int key = 0; key < MANY + MANY; key++) {
        backend.getIfPresent(key).toCompletableFuture().join();
      }
      clock.pass(Duration.ofSeconds(5));
      cache.tick();
      assertThat(cache.recent().requests()).isEqualTo(MANY + MANY);
      assertThat(cache.recent().shadowHits(0)).isZero();
      if (signal.equals("miss-curve")) {
        assertThat(loaded.missRatio(8 * MIB)).as("each key was loaded once").isGreaterThan(0.99);
        assertThat(curve(backend).missRatio(8 * MIB)).isGreaterThan(0.99);
      }
    }
  }

  /** No share would have kept them. */
  @ParameterizedTest
  @ValueSource(strings = {"lru", "caffeine"})
  void missesOfKeysEvictedBeforeEverythingWasInvalidatedAreNoShadowHits(String store) {
    try (FanoutCache cache = builder(store, "shadow-hits").open()) {
      Backend<Integer, byte[]> backend = add(cache, "one");
      for (int turn = 0; turn < 2; turn++) {
        for (int key = 0; key < MANY + MANY; key++) {
          try (FanoutRequest request = cache.request()) {
            request.query(backend, List.of(key)).join();
          }
        }
        assertThat(backend.invalidateAll()).isCompleted();
      }
      clock.pass(Duration.ofSeconds(5));
      cache.tick();
      assertThat(cache.recent().requests()).isEqualTo(4 * MANY);
      assertThat(cache.recent().shadowHits(0)).isZero();
    }
  }

  /** By default a sizer visits every object of a value. */
  @ParameterizedTest
  @ValueSource(strings = {"caffeine", "lru", "elsewhere"})
  void hitsAreNotSizedAgain(String store) {
    AtomicInteger sized = new AtomicInteger();
    try (FanoutCache cache = builder(store, "miss-curve").open()) {
      Backend<Integer, String> backend =
          cache.add(
              BackendSpec.of(
                  "one",
                  (key, value) -> {
                    sized.incrementAndGet();
                    return 100;
                  },
                  keys -> CompletableFuture.completedFuture(Map.of(1, "value"))));
      for (int i = 0; i <= 1_000; i++) {
        try (FanoutRequest request = cache.request()) {
          assertThat(request.queryOne(backend, 1).join()).isEqualTo("value");
        }
      }
      assertThat(backend.stats().hits()).isEqualTo(1_000);
      assertThat(sized.get()).isBetween(1, 3);
      assertThat(curve(backend).missRatio(8 * MIB)).isLessThan(0.01);
    }
  }

  /** No query waits for them; they would look like queries of keys that were used just before. */
  @ParameterizedTest
  @CsvSource({
    "caffeine, puts",
    "caffeine, refreshes",
    "lru, refreshes",
    "elsewhere, puts",
    "elsewhere, refreshes"
  })
  void refreshesAndPutsAreNotQueries(String store, String more) throws Exception {
    assertCurvesAreEqual(curveOf(store, more, false), curveOf(store, more, true));
  }

  /**
   * Else a backend whose values are all put before they are queried would seem to need no space.
   */
  @ParameterizedTest
  @ValueSource(strings = {"caffeine", "lru", "elsewhere"})
  void theFirstQueryOfAPutValueIsAHit(String store) {
    try (FanoutCache cache = builder(store, "miss-curve").open()) {
      Backend<Integer, byte[]> backend = add(cache, "one");
      for (int key = 0; key < FEW; key++) {
        backend.put(key, new byte[VALUE_BYTES]).toCompletableFuture().join();
      }
      for (int key = 0; key < FEW; key++) {
        try (FanoutRequest request = cache.request()) {
          request.query(backend, List.of(key)).join();
        }
      }
      assertThat(backend.stats().hits()).isEqualTo(FEW);
      assertThat(curve(backend).missRatio(8 * MIB)).isLessThan(0.1);
    }
  }

  /** Found, found expired once more before it is loaded, and stored again: one query. */
  @ParameterizedTest
  @ValueSource(strings = {"caffeine", "lru", "elsewhere"})
  void aQueryForAnExpiredEntryCountsOnce(String store) throws Exception {
    assertCurvesAreEqual(curveOf(store, "expired", false), curveOf(store, "expired", true));
  }

  private static void assertCurvesAreEqual(MissCurve one, MissCurve other) {
    for (double space : one.bytes()) {
      assertThat(other.missRatio(space)).isEqualTo(one.missRatio(space));
    }
  }

  /**
   * Of fifty keys in turn, two minutes between the turns.
   *
   * @param happens whether the keys are put, refreshed or expired between
   */
  private MissCurve curveOf(String store, String what, boolean happens) throws Exception {
    String time = happens ? "1min" : "9h";
    String aging =
        switch (what) {
          case "refreshes" -> "{ refresh-after: " + time + " }";
          case "expired" -> "{ time-to-live: " + time + " }";
          default -> "{}";
        };
    int turns = 4;
    try (FanoutCache cache =
        builder(store, "miss-curve")
            .configure(ConfigNode.parse("cache.yaml", "backend: " + aging))
            .open()) {
      Backend<Integer, byte[]> backend = add(cache, "one");
      for (int turn = 0; turn < turns; turn++) {
        for (int key = 0; key < FEW; key++) {
          try (FanoutRequest request = cache.request()) {
            request.query(backend, List.of(key)).join();
          }
          if (happens && what.equals("puts")) {
            backend.put(key, new byte[VALUE_BYTES]).toCompletableFuture().join();
          }
          if (happens && what.equals("refreshes") && turn > 0) {
            awaitRefreshes(backend, (turn - 1L) * FEW + key + 1);
          }
        }
        clock.pass(Duration.ofMinutes(2));
      }
      int loads = happens && what.equals("expired") ? turns * FEW : FEW;
      assertThat(backend.stats().misses()).isEqualTo(loads);
      return curve(backend);
    }
  }

  /** A query that finds the sample busy with a refresh would not be in the curve. */
  private static void awaitRefreshes(Backend<?, ?> backend, long count) throws Exception {
    Waiting.until(
        () -> backend.stats().refreshes() >= count && backend.loads().keysInFlight() == 0);
  }

  private static MissCurve curve(Backend<?, ?> backend) {
    Store<?, ?> store = backend.store() instanceof TimedStore<?, ?> t ? t.inner() : backend.store();
    return ((MeasuredStore<?, ?>) store).missCurve();
  }

  @Test
  void shadowHitsAreRefusedWhereEvictionsAreNotSeen() {
    String store = "{ kind: nowhere, depth: 1 }";
    String text = "{ store: " + store + ",\n  policy: { policy: cache.cliffhanger, signal: ";
    assertThatThrownBy(() -> open(text + "shadow-hits } }"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("cache.yaml:2: policy.signal = 'shadow-hits' is invalid")
        .hasMessageContaining("signal: miss-curve or request-rate")
        .hasMessageContaining("store: caffeine or lru");
    open(text + "miss-curve } }");
    open(text + "request-rate } }");
    assertThatThrownBy(() -> open("{ store: " + store + ", policy: cache.cliffhanger }"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("policy = 'cache.cliffhanger' is invalid");
    assertThatThrownBy(
            () ->
                FanoutCache.builder()
                    .strategy(CacheStrategy.named("cache.cliffhanger"))
                    .stores(ELSEWHERE)
                    .open())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("signal: miss-curve");
  }

  private static void open(String text) {
    FanoutCache.builder()
        .drivenByHost()
        .configure(ConfigNode.parse("cache.yaml", text))
        .open()
        .close();
  }
}
