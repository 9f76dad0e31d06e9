/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.ManualClock;
import dev.manx.client.measure.Measures;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.LruStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.policy.config.ConfigNode;
import dev.manx.shares.CacheStrategy;
import dev.manx.shares.ShareController.Outcome;
import dev.manx.shares.SharePolicy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Moves between stores that obey, fail, hang or do half; without exchange; with a jumping clock.
 */
class ControlLoopTest {
  private static final long CAPACITY = 400L << 20;

  private final ManualClock clock = new ManualClock();
  private final List<String> log = new ArrayList<>();
  private final Map<String, FakeStore> stores = new LinkedHashMap<>();
  private final Map<String, Recorder.Slot> slots = new LinkedHashMap<>();
  private final Recorder recorder = new Recorder(1);
  private StatisticsExchange exchange = StatisticsExchange.inProcess();
  private ControlLoop loop = loop(Duration.ofMillis(300));

  private ControlLoop loop(Duration moveTimeOut) {
    CacheStrategy strategy =
        CacheStrategy.of(
            ConfigNode.parse("test", "policy: cache.robinhood\nfloor: 1MiB\npage: 64KiB"), () -> 1);
    return new ControlLoop(
        strategy.newPolicy(),
        strategy.controller(),
        CAPACITY,
        recorder,
        (now, own) -> exchange.exchange(now, own),
        clock,
        moveTimeOut);
  }

  @AfterEach
  void close() {
    loop.close();
  }

  private FakeStore add(String name) {
    FakeStore store = new FakeStore(name, log);
    loop.add(new Share(name, store, 0));
    stores.put(name, store);
    slots.put(name, recorder.add(name));
    return store;
  }

  private FakeStore addWithPages(String name, long page) {
    FakeStore store = new FakeStore(name, log);
    store.page = page;
    loop.add(new Share(name, store, 0));
    stores.put(name, store);
    slots.put(name, recorder.add(name));
    return store;
  }

  /** Like memcached, whose shares are whole MiB, with the ledger's own pages of 64 KiB. */
  @Test
  @Timeout(60)
  void sharesMoveThoughTheStoresPagesAreLargerThanTheLedgers() {
    for (String name : List.of("a", "b", "c", "d", "e", "f", "g")) {
      addWithPages(name, 1 << 20);
    }
    assertThat(allocated()).isEqualTo(CAPACITY);
    for (int tick = 0; tick < 40; tick++) {
      blockedBy("c");
      assertThat(stores.values()).allMatch(store -> store.allocated % (1 << 20) == 0);
      assertThat(allocated()).isEqualTo(CAPACITY);
    }
    assertThat(stores.get("c").allocated).isGreaterThan(110L << 20);
    blockedBy("c");
    addWithPages("late", 4 << 20);
    for (int tick = 0; tick < 10; tick++) {
      blockedBy("late");
    }
    assertThat(stores.get("late").allocated).isGreaterThan(20L << 20);
    assertThat(allocated()).isBetween(CAPACITY - (4 << 20), CAPACITY);
  }

  @Test
  @Timeout(60)
  void aTickThatFailsIsLoggedWithItsCauseAndNotTooOften() {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      add("a").used = -1;
      add("b");
      blockedBy("a");
      blockedBy("a");
    } finally {
      System.setErr(before);
    }
    assertThat(loop.stats().failures()).isEqualTo(2);
    assertThat(said.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("a tick of the control loop failed")
        .containsOnlyOnce("IllegalStateException: asked to fail");
  }

  @Test
  @Timeout(60)
  void aStoreThatRefusesToBeResizedLeavesTheOthersToBeDivided() {
    for (String name : List.of("a", "b", "c", "d")) {
      add(name);
    }
    long equal = CAPACITY / 4;
    stores.get("d").mode = FakeStore.Mode.REFUSES;
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      for (int tick = 0; tick < 2 * FixedShares.TICKS; tick++) {
        blockedBy("a");
        assertThat(allocated()).isLessThanOrEqualTo(CAPACITY);
        assertThat(loop.stats().fixed()).containsExactly("d");
      }
    } finally {
      System.setErr(before);
    }
    assertThat(said.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("backend d keeps its share")
        .contains("CONFIG is forbidden");
    assertThat(stores.get("d").allocated).isEqualTo(equal);
    assertThat(stores.get("b").allocated).isLessThan(equal);
    assertThat(stores.get("a").allocated).isGreaterThan(equal);
    assertThat(loop.stats().deferred()).isZero();

    stores.get("d").mode = FakeStore.Mode.OBEYS;
    for (int tick = 0; tick < 2 * FixedShares.TICKS; tick++) {
      blockedBy("a");
    }
    assertThat(loop.stats().fixed()).isEmpty();
    assertThat(stores.get("d").allocated).isLessThan(equal);
    loop.remove("d");
    blockedBy("a");
    assertThat(loop.stats().failures()).isZero();
  }

  /** The values of one backend would fill the cache; the other backend has one value. */
  @Test
  @Timeout(60)
  void aPolicyThatRestsAndActsAgainIsLogged() {
    CacheStrategy strategy =
        CacheStrategy.of(
            ConfigNode.parse("test", "policy: cache.guarded\nfloor: 1MiB\npage: 64KiB"), () -> 1);
    SharePolicy policy = strategy.newPolicy();
    Measures measures = new Measures(policy, CAPACITY, clock);
    loop.close();
    loop =
        new ControlLoop(
            policy,
            strategy.controller(),
            CAPACITY,
            recorder,
            StatisticsExchange.inProcess(),
            clock,
            Duration.ofMillis(300));
    Store<Integer, String> wide = addMeasured("wide", measures);
    Store<Integer, String> idle = addMeasured("idle", measures);
    SplittableRandom random = new SplittableRandom(5);
    int ticks = 0;
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      while (loop.stats().policy().rests() == 0 || loop.stats().policy().resting()) {
        for (int i = 0; i < 300; i++) {
          wide.putAll(Map.of(random.nextInt(400), ""));
          recorder.query(slots.get("wide"), 0, 0, 1, 5_000_000);
        }
        idle.putAll(Map.of(1, ""));
        recorder.query(slots.get("idle"), 1, 1_000, 0, 0);
        blockedBy("wide");
        assertThat(++ticks).isLessThan(200);
      }
    } finally {
      System.setErr(before);
    }
    assertThat(said.toString(StandardCharsets.UTF_8))
        .containsPattern("the policy's shares cost [1-9][0-9]* % more request time")
        .contains("the policy divides the cache again");
  }

  /**
   * Its values do not fit into the floor with which it begins, or few do: used bytes alone would
   * say for ever that it does not use its share.
   */
  @ParameterizedTest
  @CsvSource({
    "cache.robinhood, 1572864",
    "cache.robinhood, 900000",
    "cache.paced, 1572864",
    "cache.paced, 200000"
  })
  @Timeout(60)
  void aBackendWhoseValuesAreLargeForItsFirstShareGetsSpace(String policy, int valueBytes) {
    long capacity = 256L << 20;
    CacheStrategy strategy = CacheStrategy.named(policy).forCapacity(capacity);
    loop.close();
    loop =
        new ControlLoop(
            strategy.newPolicy(),
            strategy.controller(),
            capacity,
            recorder,
            StatisticsExchange.inProcess(),
            clock,
            Duration.ofMillis(300));
    add("songs");
    blockedBy("songs");
    LocalStore<Integer, String> images =
        (LocalStore<Integer, String>)
            LruStore.factory()
                .<Integer, String>open(
                    new StoreSpec<>("images", 0, (key, value) -> valueBytes, Optional.empty()));
    loop.add(new Share("images", images, 0));
    slots.put("images", recorder.add("images"));
    assertThat(images.allocatedBytes()).isLessThan(1_400_000);
    int key = 0;
    for (int tick = 0; tick < 100; tick++) {
      for (int i = 0; i < 100; i++) {
        images.put(key++, "");
      }
      blockedBy("images");
    }
    assertThat(images.allocatedBytes()).isGreaterThan(3 << 20);
    assertThat(images.allocatedBytes() + stores.get("songs").allocated).isEqualTo(capacity);
  }

  /** Its server may not be resized, and has another size than the share that it would get. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(60)
  void aStoreThatRefusesToBeResizedCountsWithTheSizeThatItHas(boolean first) {
    FakeStore refuses = new FakeStore("own", log);
    refuses.mode = FakeStore.Mode.REFUSES;
    refuses.allocated = 100_000_000;
    if (!first) {
      add("a");
    }
    loop.add(new Share("own", refuses, 0));
    slots.put("own", recorder.add("own"));
    if (first) {
      add("a");
    }
    for (int tick = 0; tick < 2 * FixedShares.TICKS; tick++) {
      blockedBy("a");
      assertThat(stores.get("a").allocated).isEqualTo(CAPACITY - 100_000_000);
      assertThat(loop.stats().fixed()).containsExactly("own");
    }
    assertThat(loop.stats().deferred()).isZero();
    assertThat(loop.stats().failures()).isZero();
    refuses.mode = FakeStore.Mode.OBEYS;
    for (int tick = 0; tick < FixedShares.TICKS; tick++) {
      blockedBy("a");
    }
    assertThat(refuses.allocated).isLessThan(100_000_000);
  }

  /** It turns out only later that a server has more than its share. */
  @Test
  @Timeout(60)
  void theOthersMakeRoomForAStoreThatHasMoreThanItsShare() {
    for (String name : List.of("a", "b", "own")) {
      add(name);
    }
    stores.get("own").mode = FakeStore.Mode.REFUSES;
    stores.get("own").allocated = 300L << 20;
    for (int tick = 0; tick < 3; tick++) {
      blockedBy("a");
    }
    assertThat(allocated()).isEqualTo(CAPACITY);
    assertThat(stores.get("own").allocated).isEqualTo(300L << 20);
    assertThat(loop.stats().fixed()).containsExactly("own");
    assertThat(loop.stats().failures()).isZero();
  }

  private FakeStore addRefusing(String name, long own) {
    FakeStore store = add(name);
    store.mode = FakeStore.Mode.REFUSES;
    store.allocated = own;
    return store;
  }

  /** Like a remote store, which fails below its smallest size. */
  @Test
  @Timeout(60)
  void storesThatAreTogetherLargerThanTheCacheStopNoDecision() {
    for (String name : List.of("a", "b", "c", "d")) {
      add(name);
    }
    for (String name : List.of("a", "b")) {
      stores.get(name).mode = FakeStore.Mode.REFUSES;
      stores.get(name).allocated = 4L << 30;
    }
    for (String name : List.of("c", "d")) {
      stores.get(name).least = 1 << 20;
    }
    for (int tick = 0; tick < 2 * FixedShares.TICKS; tick++) {
      blockedBy("c");
      assertThat(stores.get("d").allocated).isGreaterThanOrEqualTo(1 << 20);
    }
    assertThat(loop.stats().fixed()).containsExactlyInAnyOrder("a", "b");
    assertThat(loop.stats().deferred()).isZero();
    assertThat(loop.stats().failures()).isZero();
    assertThat(loop.stats().outcome()).isEqualTo(Outcome.DECIDED);
  }

  @Test
  @Timeout(60)
  void aShareIsAddedWhileStoresAreTogetherLargerThanTheCache() {
    add("c");
    addRefusing("a", 4L << 30);
    addRefusing("b", 4L << 30);
    blockedBy("c");
    FakeStore late = add("late");
    for (int tick = 0; tick < 3; tick++) {
      blockedBy("late");
    }
    assertThat(late.allocated).isGreaterThanOrEqualTo(1 << 20);
    assertThat(stores.get("c").allocated).isGreaterThanOrEqualTo(1 << 20);
    assertThat(loop.stats().deferred()).isZero();
    assertThat(loop.stats().failures()).isZero();
  }

  /** Its server had more than the cache; the policy would leave its share as it is. */
  @Test
  @Timeout(60)
  void aStoreThatMayBeResizedAgainGetsItsShare() {
    add("a");
    add("own");
    stores.get("own").mode = FakeStore.Mode.REFUSES;
    stores.get("own").allocated = 4L << 30;
    blockedBy("a");
    assertThat(loop.stats().fixed()).containsExactly("own");
    stores.get("own").mode = FakeStore.Mode.OBEYS;
    for (int tick = 0; tick < FixedShares.TICKS; tick++) {
      // All is blocked by what can no longer grow.
      blockedBy("own");
    }
    assertThat(loop.stats().fixed()).isEmpty();
    assertThat(allocated()).isEqualTo(CAPACITY);
  }

  /** What was under way seems to have taken as long, and may end only in the next window. */
  @Test
  void theFirstTwoWindowsAfterAStopOfTheProcessMoveNothing() {
    add("a");
    add("b");
    blockedBy("a");
    blockedBy("a");
    long share = stores.get("a").allocated;
    clock.pass(Duration.ofHours(1));
    for (int window = 0; window < 2; window++) {
      blockedBy("b");
      assertThat(stores.get("a").allocated).as("window %d", window).isEqualTo(share);
      assertThat(loop.stats().outcome()).isEqualTo(Outcome.FROZEN);
    }
    for (int tick = 0; tick < 5; tick++) {
      blockedBy("b");
    }
    assertThat(stores.get("a").allocated).isLessThan(share);
  }

  /** It was not stopped. */
  @Test
  void everyTickOfAHostThatRarelyTicksDecides() {
    add("a");
    add("b");
    for (int tick = 0; tick < 4; tick++) {
      clock.pass(Duration.ofMinutes(1));
      blockedBy("a");
      assertThat(loop.stats().outcome()).isEqualTo(Outcome.DECIDED);
    }
  }

  private Store<Integer, String> addMeasured(String name, Measures measures) {
    FakeStore store = new FakeStore(name, log);
    StoreFactory stores =
        new StoreFactory() {
          @Override
          @SuppressWarnings("unchecked")
          public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
            return (Store<K, V>) store;
          }
        };
    Store<Integer, String> measured =
        measures.open(
            stores, new StoreSpec<>(name, 0, (key, value) -> 1 << 20, Optional.empty()), () -> {});
    loop.add(new Share(name, measured, 0));
    slots.put(name, recorder.add(name));
    return measured;
  }

  private long allocated() {
    return stores.values().stream().mapToLong(store -> store.allocated).sum();
  }

  /** A window in which one backend blocks every request near P99. */
  private void blockedBy(String backend) {
    blockedBy(backend, 1_000);
  }

  private void blockedBy(String backend, int requests) {
    clock.pass(Duration.ofSeconds(5));
    for (int i = 0; i < requests; i++) {
      recorder.request(slots.get(backend), 1_000_000L + 1_000L * i, false, true);
    }
    log.clear();
    loop.tick();
  }

  /** A decision is done when the slowest store is, possibly only at a later tick. */
  @Test
  @Timeout(60)
  void theTimeOfADecisionEndsWithItsLastMove() {
    List<String> moves = new ArrayList<>();
    loop.listen(
        (bytes, nanos) -> moves.add((bytes >> 16) + " pages, " + nanos / 1_000_000 + " ms"));
    for (String name : List.of("a", "b", "c", "d")) {
      add(name);
    }
    // Each share of 100 MiB is taxed by 1 MiB, all of which goes to c.
    stores.get("a").onResize = () -> clock.pass(Duration.ofMillis(700));
    blockedBy("c");
    assertThat(moves).containsExactly("48 pages, 700 ms");
    stores.get("a").onResize = () -> {};
    stores.get("b").mode = FakeStore.Mode.FAILS;
    blockedBy("c");
    assertThat(moves).as("b has not made room").hasSize(1);
    blockedBy("c");
    assertThat(moves).hasSize(1);
    stores.get("b").mode = FakeStore.Mode.OBEYS;
    blockedBy("c");
    assertThat(loop.stats().outcome()).isEqualTo(Outcome.DEFERRED);
    assertThat(moves).hasSize(2).last().asString().endsWith(", 10000 ms");
  }

  @Test
  @Timeout(60)
  void theListenerOfMovesMayWaitForAnotherThreadThatAddsAShare() {
    List<String> added = new ArrayList<>();
    loop.listen(
        (bytes, nanos) -> {
          CompletableFuture.runAsync(() -> add("late")).orTimeout(20, TimeUnit.SECONDS).join();
          added.addAll(stores.keySet());
        });
    add("a");
    add("b");
    blockedBy("a");
    assertThat(added).containsExactly("a", "b", "late");
  }

  @Test
  void sharesBeginEqualAndFillTheCapacity() {
    add("a");
    assertThat(stores.get("a").allocated).isEqualTo(CAPACITY);
    add("b");
    add("c");
    add("d");
    assertThat(stores.values()).allMatch(store -> store.allocated == CAPACITY / 4);
    assertThatThrownBy(() -> loop.add(new Share("d", new FakeStore("d", log), 0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(allocated()).isEqualTo(CAPACITY);
  }

  /** Before the first requests too. */
  @ParameterizedTest
  @EnumSource(names = {"FAILS", "HANGS", "HALF_WAY"})
  @Timeout(60)
  void anAddedStoreWaitsForTheSpaceThatTheOthersMustFree(FakeStore.Mode mode) {
    FakeStore slow = add("a");
    slow.mode = mode;
    add("b");
    add("c");
    for (int tick = 0; tick < 3; tick++) {
      assertThat(allocated()).isLessThanOrEqualTo(CAPACITY);
      long before = slow.allocated;
      log.clear();
      clock.pass(Duration.ofSeconds(5));
      loop.tick();
      assertThat(log).contains("a shrinks");
      assertThat(slow.allocated).isLessThanOrEqualTo(before);
    }
    slow.mode = FakeStore.Mode.OBEYS;
    loop.tick();
    assertThat(allocated()).isEqualTo(CAPACITY);
    assertThat(stores.values()).allMatch(store -> Math.abs(store.allocated - CAPACITY / 3) <= 1);
  }

  /** Its part is free meanwhile, and must not go to the others. */
  @Test
  @Timeout(60)
  void anAddedStoreThatFailsToGrowIsMadeEqualAtTheNextTick() {
    add("a");
    FakeStore failing = new FakeStore("b", log);
    failing.mode = FakeStore.Mode.FAILS;
    loop.add(new Share("b", failing, 0));
    stores.put("b", failing);
    add("c");
    clock.pass(Duration.ofSeconds(5));
    loop.tick();
    failing.mode = FakeStore.Mode.OBEYS;
    clock.pass(Duration.ofSeconds(5));
    loop.tick();
    assertThat(allocated()).isEqualTo(CAPACITY);
    assertThat(stores.values()).allMatch(store -> Math.abs(store.allocated - CAPACITY / 3) <= 1);
    log.clear();
    clock.pass(Duration.ofSeconds(5));
    loop.tick();
    assertThat(log).as("nothing moves any more").isEmpty();
  }

  /** Of two shares that grow at once. */
  @ParameterizedTest
  @ValueSource(strings = {"b", "c"})
  @Timeout(60)
  void anErrorOfOneStoreDoesNotKeepAnotherFromGrowing(String failing) {
    for (String name : List.of("a", "b", "c")) {
      add(name);
    }
    stores.get(failing).onResize =
        () -> {
          throw new NoClassDefFoundError("asked to fail");
        };
    for (int i = 0; i < 1_000; i++) {
      recorder.request(slots.get(i % 2 == 0 ? "b" : "c"), 1_000_000L + 1_000L * i, false, true);
    }
    clock.pass(Duration.ofSeconds(5));
    loop.tick();
    assertThat(loop.stats().failures()).isZero();
    assertThat(loop.stats().failedMoves()).isEqualTo(1);
    stores.get(failing).onResize = () -> {};
    clock.pass(Duration.ofSeconds(5));
    loop.tick();
    assertThat(allocated()).isEqualTo(CAPACITY);
  }

  @Test
  void spaceMovesToWhoBlocksShrinkingFirst() {
    for (String name : List.of("a", "b", "c", "d")) {
      add(name);
    }
    blockedBy("c");
    // RobinHood: 1 % of each share, all to the one that blocks.
    assertThat(stores.get("c").allocated).isEqualTo((100L << 20) + (3L << 20));
    assertThat(allocated()).isEqualTo(CAPACITY);
    assertThat(log).hasSize(4).endsWith("c grows");
    assertThat(loop.stats().outcome()).isEqualTo(Outcome.DECIDED);
    assertThat(loop.stats().moves()).isPositive();
    assertThat(loop.stats().bytesMoved()).isGreaterThanOrEqualTo(3L << 20);
    assertThat(loop.recent().requests()).isEqualTo(1_000);
  }

  @Test
  void nothingMovesWithoutRequests() {
    add("a");
    add("b");
    log.clear();
    for (int i = 0; i < 5; i++) {
      clock.pass(Duration.ofSeconds(5));
      loop.tick();
    }
    assertThat(log).isEmpty();
    assertThat(loop.stats().frozen()).isEqualTo(5);
  }

  /** Fifty near P99 are 5,000 in all; 64 ticks are the widest window. */
  @Test
  void aFewRequestsMoveNothing() {
    add("a");
    add("b");
    long equal = stores.get("a").allocated;
    for (int i = 0; i < 80; i++) {
      blockedBy("a", 70);
    }
    assertThat(stores.get("a").allocated).isEqualTo(equal);
    assertThat(loop.stats().frozen()).isEqualTo(80);
    assertThat(loop.stats().outcome()).isEqualTo(Outcome.FROZEN);
    blockedBy("a", 1_000);
    assertThat(stores.get("a").allocated).as("5,410 in 64 ticks").isGreaterThan(equal);
  }

  /** The last requests have been judged once; the empty windows after them tell nothing more. */
  @Test
  void nothingMovesOnceRequestsHaveEnded() {
    add("a");
    add("b");
    blockedBy("a");
    long share = stores.get("a").allocated;
    for (int i = 0; i < 10; i++) {
      clock.pass(Duration.ofSeconds(5));
      loop.tick();
    }
    assertThat(stores.get("a").allocated).isEqualTo(share);
    assertThat(loop.stats().frozen()).isEqualTo(10);
    blockedBy("a");
    assertThat(stores.get("a").allocated).isGreaterThan(share);
  }

  @Test
  void sharesAreFrozenWhileTheExchangeIsGoneOrStaleOrThrows() {
    add("a");
    add("b");
    blockedBy("a");
    long share = stores.get("a").allocated;
    assertThat(share).isGreaterThan(CAPACITY / 2);

    StatisticsExchange working = exchange;
    exchange = (now, own) -> Optional.empty();
    blockedBy("a");
    assertThat(loop.stats().outcome()).isEqualTo(Outcome.FROZEN);
    exchange =
        (now, own) ->
            Optional.of(new StatisticsExchange.Merged(own, now - Duration.ofMinutes(10).toNanos()));
    blockedBy("a");
    assertThat(loop.stats().outcome()).isEqualTo(Outcome.FROZEN);
    exchange =
        (now, own) -> {
          throw new IllegalStateException("asked to fail");
        };
    blockedBy("a");
    assertThat(loop.stats().failures()).isEqualTo(1);
    assertThat(stores.get("a").allocated).isEqualTo(share);

    exchange = working;
    blockedBy("a");
    assertThat(stores.get("a").allocated).isGreaterThan(share);
    assertThat(allocated()).isEqualTo(CAPACITY);
  }

  /** After {@code stale-after}, 30 s. */
  @Test
  @Timeout(60)
  void theStatisticsOfTheLastDecisionAreNotShownForEver() {
    add("a");
    add("b");
    for (int i = 0; i < 3; i++) {
      blockedBy("a");
    }
    double p99 = loop.recent().requestNanos(0.99);
    assertThat(p99).isPositive();
    StatisticsExchange working = exchange;
    exchange = (now, own) -> Optional.empty();
    for (int i = 0; i < 6; i++) {
      blockedBy("b");
      assertThat(loop.recent().requestNanos(0.99)).isEqualTo(p99);
    }
    blockedBy("b");
    assertThat(loop.recent().requestNanos(0.99)).isNaN();
    assertThat(loop.recent().backends()).containsExactly("a", "b");
    exchange = working;
    blockedBy("b");
    assertThat(loop.recent().requestNanos(0.99)).isPositive();
  }

  @Test
  void aStoreThatCannotShrinkDefersAndNothingGrowsUnpaid() {
    add("a");
    add("b");
    add("c");
    for (FakeStore.Mode mode :
        List.of(FakeStore.Mode.FAILS, FakeStore.Mode.HANGS, FakeStore.Mode.HALF_WAY)) {
      stores.get("b").mode = mode;
      for (int i = 0; i < 3; i++) {
        blockedBy("c");
        assertThat(allocated()).as("%s", mode).isLessThanOrEqualTo(CAPACITY);
      }
      stores.get("b").mode = FakeStore.Mode.OBEYS;
      blockedBy("c");
      blockedBy("c");
      assertThat(allocated()).as("%s", mode).isEqualTo(CAPACITY);
    }
    assertThat(loop.stats().deferred()).isPositive();
    assertThat(loop.stats().failedMoves()).isPositive();
  }

  @Test
  void aStoreThatIsGoneDoesNotHoldUpTheOthers() {
    add("a");
    add("b");
    add("c");
    FakeStore gone = stores.get("b");
    gone.mode = FakeStore.Mode.FAILS;
    gone.degraded = true;
    long before = stores.get("c").allocated;
    blockedBy("c");
    blockedBy("c");
    assertThat(stores.get("c").allocated).isGreaterThan(before + (4L << 20));
  }

  @Test
  void aStoreThatThrowsInTheLoopOnlyFreezesIt() {
    add("a");
    add("b");
    stores.get("a").used = -1;
    blockedBy("b");
    assertThat(loop.stats().failures()).isEqualTo(1);
    assertThat(allocated()).isEqualTo(CAPACITY);
    stores.get("a").used = 0;
    blockedBy("b");
    assertThat(stores.get("b").allocated).isGreaterThan(CAPACITY / 2);
  }

  @Test
  void aClockThatJumpsNeitherStopsNorBreaksIt() {
    add("a");
    add("b");
    blockedBy("a");
    clock.pass(Duration.ofDays(-3));
    long before = stores.get("a").allocated;
    blockedBy("a");
    blockedBy("a");
    assertThat(stores.get("a").allocated).isGreaterThan(before);
    clock.pass(Duration.ofDays(30));
    blockedBy("a");
    assertThat(loop.stats().failures()).isZero();
    assertThat(allocated()).isEqualTo(CAPACITY);
  }

  @Test
  void backendsComeAndGoWhileSharesMove() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    add("b0");
    add("b1");
    blockedBy("b0");
    for (int i = 2; i < 60; i++) {
      if (random.nextInt(3) == 0 && stores.size() > 2) {
        String name = new ArrayList<>(stores.keySet()).get(random.nextInt(stores.size()));
        loop.remove(name);
        stores.remove(name);
        recorder.remove(slots.remove(name));
      } else if (stores.size() < 20) {
        add("b" + i);
        assertThat(stores.get("b" + i).allocated)
            .as("seed %d", seed)
            .isGreaterThanOrEqualTo(1 << 20);
      }
      List<String> names = new ArrayList<>(stores.keySet());
      blockedBy(names.get(random.nextInt(names.size())));
      assertThat(allocated()).as("seed %d, step %d", seed, i).isEqualTo(CAPACITY);
    }
    assertThat(loop.stats().failures()).isZero();
  }
}
