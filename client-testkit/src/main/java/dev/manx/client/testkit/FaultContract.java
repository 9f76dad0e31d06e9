/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSettings;
import dev.manx.client.BackendSpec;
import dev.manx.client.BackendStats;
import dev.manx.client.BreakerSettings;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutCacheBuilder;
import dev.manx.client.FanoutRequest;
import dev.manx.client.QueryResults;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The guarantees to an application while the servers of its cache fail, and afterwards. Extend
 * {@link StoreFaultContract} or {@link LevelFaultContract}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
@Tag("contract")
public abstract class FaultContract {
  /** Time-out of an operation that makes many of them fail in a test. */
  private static final Duration HASTY = Duration.ofMillis(150);

  /** Time limit; exceeding it fails the test. */
  private static final Duration PATIENT = Duration.ofMinutes(1);

  private static final Duration DELAY = HASTY.multipliedBy(3);
  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final int AMPLE_SECONDS = 20;
  private static final int ROUNDS = 10;
  private static final List<Integer> PAGE = IntStream.range(0, 20).boxed().toList();

  private final Map<Integer, String> database = new ConcurrentHashMap<>();
  private final List<Relay> relays = new ArrayList<>();
  private final List<FanoutCache> caches = new ArrayList<>();
  private int nextKey;
  private Fault present;

  /**
   * Starts the servers, or skips the test if they are not installed. Caches reach them only {@link
   * #through} a relay.
   */
  protected abstract void start() throws Exception;

  /** Stops the servers. */
  protected abstract void end() throws Exception;

  /** The faults that these servers support. */
  protected Set<Fault> faults() {
    return EnumSet.complementOf(EnumSet.of(Fault.BUSY));
  }

  /** Makes the servers fail: {@code RESTART} kills them; also {@code FULL} and {@code BUSY}. */
  protected abstract void fail(Fault fault) throws Exception;

  /** Ends the fault begun by {@link #fail}. */
  protected abstract void recover(Fault fault) throws Exception;

  /** Puts a faulty network before a started server; returns the address for clients. */
  protected final InetSocketAddress through(InetSocketAddress server) throws IOException {
    Relay relay = new Relay(server);
    relays.add(relay);
    return relay.address();
  }

  /**
   * A cache over the servers.
   *
   * @param timeout of one operation there
   */
  abstract FanoutCacheBuilder builder(Duration timeout);

  /** Bytes of an entry, as configured for the cache. */
  abstract long entryBytes();

  /** Number of keys that a server had. */
  abstract long hits(Backend<Integer, String> songs);

  /** Whether all work that a fault has prevented is done. */
  abstract boolean isSettled(Backend<Integer, String> songs);

  /** A backend that reads the servers, independent of another backend's memory. */
  abstract Backend<Integer, String> reader(Backend<Integer, String> songs) throws Exception;

  @BeforeEach
  final void prepare() throws Exception {
    database.clear();
    nextKey = 1_000;
    start();
  }

  @AfterEach
  final void finish() throws Exception {
    if (present != null) {
      over();
    }
    caches.forEach(FanoutCache::close);
    caches.clear();
    relays.forEach(Relay::close);
    relays.clear();
    end();
  }

  final void begin(Fault fault) throws Exception {
    present = fault;
    switch (fault) {
      case PARTITION -> relays.forEach(Relay::stall);
      case SLOW -> relays.forEach(relay -> relay.delay(DELAY));
      case RESETS -> relays.forEach(Relay::reset);
      case RESTART, FULL, BUSY -> fail(fault);
    }
  }

  final void over() throws Exception {
    Fault past = present;
    present = null;
    switch (past) {
      case PARTITION, SLOW, RESETS -> relays.forEach(Relay::pass);
      case RESTART, FULL, BUSY -> recover(past);
    }
  }

  final Backend<Integer, String> open(Duration timeout) throws Exception {
    FanoutCache cache = builder(timeout).drivenByHost().open();
    caches.add(cache);
    Backend<Integer, String> songs = cache.add(songs("songs"));
    untilWell(songs);
    return songs;
  }

  final Backend<Integer, String> open() throws Exception {
    return open(HASTY);
  }

  /** The most recently opened cache. */
  final FanoutCache cache() {
    return caches.get(caches.size() - 1);
  }

  /** The backend answers at once, so delays and failures are the cache's. */
  final BackendSpec<Integer, String> songs(String name) {
    return BackendSpec.of(
            name,
            (Integer key, String value) -> entryBytes(),
            (List<Integer> keys) -> CompletableFuture.completedFuture(read(keys)))
        .with(LevelContract.TEXT)
        .with(
            BackendSettings.DEFAULTS
                .withTimeOut(Duration.ofSeconds(AMPLE_SECONDS))
                .withBreaker(BreakerSettings.OFF.withOpenFor(Duration.ofHours(1))));
  }

  private Map<Integer, String> read(List<Integer> keys) {
    Map<Integer, String> found = new ConcurrentHashMap<>();
    keys.forEach(key -> found.put(key, database.getOrDefault(key, "old")));
    return found;
  }

  /** Queries keys until a server has them all. */
  final void untilKept(Backend<Integer, String> songs, List<Integer> keys) throws Exception {
    until(
        () -> {
          long before = hits(songs);
          ask(songs, keys);
          return hits(songs) == before + keys.size();
        });
  }

  /** Waits until all delayed work is done and a server stores new values. */
  final void untilWell(Backend<Integer, String> songs) throws Exception {
    until(() -> isSettled(songs));
    until(
        () -> {
          // After a lost put, the key may stay without a value for a while.
          long before = hits(songs);
          ask(songs, List.of(nextKey - 1, fresh()));
          return hits(songs) > before;
        });
  }

  /** A key that was never queried. */
  final int fresh() {
    return nextKey++;
  }

  final List<Integer> fresh(int keys) {
    return IntStream.range(0, keys).mapToObj(i -> fresh()).toList();
  }

  static <T> T await(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(AMPLE_SECONDS, TimeUnit.SECONDS);
  }

  /** Queries with a deadline that only a hanging query reaches. */
  final QueryResults<Integer, String> ask(Backend<Integer, String> songs, List<Integer> keys) {
    return ask(songs, keys, Duration.ofSeconds(AMPLE_SECONDS));
  }

  private QueryResults<Integer, String> ask(
      Backend<Integer, String> songs, List<Integer> keys, Duration deadline) {
    try (FanoutRequest request = caches.get(0).request(deadline)) {
      return await(request.queryEach(songs, keys));
    } catch (Exception e) {
      throw new AssertionError("a query outlasts its deadline", e);
    }
  }

  private void finds(Backend<Integer, String> songs, List<Integer> keys, String value) {
    QueryResults<Integer, String> results = ask(songs, keys);
    assertThat(results.failed()).isEmpty();
    assertThat(results.found()).containsOnlyKeys(keys);
    assertThat(results.found().values()).containsOnly(value);
  }

  /** Checks during the fault, while it ends, and for another reader afterwards. */
  private void staysNew(Backend<Integer, String> songs, List<Integer> keys) throws Exception {
    finds(songs, keys, "new");
    over();
    until(
        () -> {
          finds(songs, keys, "new");
          return isSettled(songs);
        });
    untilWell(songs);
    finds(reader(songs), keys, "new");
  }

  @ParameterizedTest
  @MethodSource("faults")
  final void queriesAreAnsweredByTheirBackend(Fault fault) throws Exception {
    Backend<Integer, String> songs = open();
    untilKept(songs, PAGE);
    begin(fault);
    for (int round = 0; round < ROUNDS; round++) {
      List<Integer> keys = new ArrayList<>(PAGE);
      keys.addAll(fresh(5));
      finds(songs, keys, "old");
    }
    BackendStats stats = songs.stats();
    assertThat(stats.loadFailures() + stats.loadTimeOuts()).as("loads that failed").isZero();
    assertThat(stats.breakerOpen()).as("the breaker is the backend's").isFalse();
    over();
    untilWell(songs);
    untilKept(reader(songs), PAGE);
  }

  @ParameterizedTest
  @MethodSource("faults")
  final void aQueryEndsAtItsDeadline(Fault fault) throws Exception {
    Backend<Integer, String> songs = open(PATIENT);
    begin(fault);
    for (int round = 0; round < ROUNDS; round++) {
      List<Integer> keys = fresh(5);
      QueryResults<Integer, String> results = ask(songs, keys, DEADLINE);
      assertThat(results.found().size() + results.failed().size()).isEqualTo(keys.size());
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  final void keysThatChangeMeanwhileAreNotStaleAfterwards(Fault fault) throws Exception {
    Backend<Integer, String> songs = open();
    untilKept(songs, PAGE);
    begin(fault);
    // Their values may be in transit during the invalidation, and arrive later.
    List<Integer> keys = new ArrayList<>(fresh(5));
    finds(songs, keys, "old");
    keys.addAll(PAGE);
    keys.forEach(key -> database.put(key, "new"));
    int half = keys.size() / 2;
    for (int key : keys.subList(0, half)) {
      await(songs.put(key, "new").handle((done, notConfirmed) -> done));
    }
    List<Integer> others = keys.subList(half, keys.size());
    await(songs.invalidate(others).handle((done, notConfirmed) -> done));
    staysNew(songs, keys);
  }

  @ParameterizedTest
  @MethodSource("faults")
  final void keysThatAreForgottenMeanwhileAreNotStaleAfterwards(Fault fault) throws Exception {
    Backend<Integer, String> songs = open();
    untilKept(songs, PAGE);
    begin(fault);
    PAGE.forEach(key -> database.put(key, "new"));
    await(songs.invalidateAll().handle((done, notConfirmed) -> done));
    staysNew(songs, PAGE);
  }
}
