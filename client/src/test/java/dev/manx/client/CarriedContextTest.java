/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.level.FakeLevel;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.level.SecondLevel;
import dev.manx.client.store.Codec;
import dev.manx.client.store.TextCodec;
import dev.manx.client.tracing.Carrier;
import dev.manx.client.tracing.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A loader, and the callbacks of a query, have the context of the query's caller, on any thread,
 * and not longer.
 */
@Timeout(60)
class CarriedContextTest {
  private static final Codec<Integer, String> BYTES = new TextCodec();

  /** Context of the application's threads: a user's name. */
  private static final ThreadLocal<String> USER = new ThreadLocal<>();

  private static final Carrier CARRIER =
      () -> {
        String user = USER.get();
        return user == null ? null : () -> as(user);
      };

  /** A line that begins a load, not one that joins a load. */
  private static final Predicate<String> BEGUN = Pattern.compile("[^ ]*/load").asMatchPredicate();

  private final ExecutorService network = Executors.newSingleThreadExecutor();
  private final List<AutoCloseable> toClose = new ArrayList<>();
  private final Followed followed = new Followed();
  private final List<String> users = new CopyOnWriteArrayList<>();
  private final List<String> loads = new CopyOnWriteArrayList<>();
  private FanoutCache cache;

  private static Scope as(String user) {
    String before = USER.get();
    USER.set(user);
    return () -> {
      if (before == null) {
        USER.remove();
      } else {
        USER.set(before);
      }
    };
  }

  @AfterEach
  void close() throws Exception {
    cache.close();
    network.shutdownNow();
    for (AutoCloseable one : toClose) {
      one.close();
    }
    assertThat(USER.get()).isNull();
    assertThat(LoadContext.here()).isNull();
    // A thread leaves the context just after it has completed a query.
    Waiting.until(() -> followed.scopes.get() <= 0);
    assertThat(followed.scopes).hasValue(0);
  }

  private Backend<Integer, String> open(
      UnaryOperator<FanoutCacheBuilder> how, Loader<Integer, String> loader) {
    cache = how.apply(FanoutCache.builder().drivenByHost().tracing(followed).carry(CARRIER)).open();
    return cache.add(
        BackendSpec.of("songs", (Integer key, String value) -> 10, loader)
            .with(BYTES)
            .with(ScriptedCache.PATIENT));
  }

  /** Records the context of the calling thread. */
  private Map<Integer, String> read(List<Integer> keys) {
    users.add(String.valueOf(USER.get()));
    loads.add(String.valueOf(Followed.HERE.get()));
    return keys.stream().collect(Collectors.toMap(Function.identity(), key -> "v" + key));
  }

  private CompletableFuture<Map<Integer, String>> readAll(List<Integer> keys) {
    return CompletableFuture.completedFuture(read(keys));
  }

  private CompletableFuture<String> ask(String user, Backend<Integer, String> backend, int key) {
    try (Scope scope = as(user)) {
      return cache.request().queryOne(backend, key);
    }
  }

  private void reachesTheLoader(Backend<Integer, String> backend) throws Exception {
    assertThat(ask("ada", backend, 1).get(20, TimeUnit.SECONDS)).isEqualTo("v1");
    assertThat(ask("bob", backend, 2).get(20, TimeUnit.SECONDS)).isEqualTo("v2");
    assertThat(cache.request().queryOne(backend, 3).get(20, TimeUnit.SECONDS)).isEqualTo("v3");
    assertThat(users).containsExactly("ada", "bob", "null");
    assertThat(loads).allMatch(load -> load.endsWith("/load")).doesNotHaveDuplicates();
  }

  @Test
  void onTheCallersThread() throws Exception {
    reachesTheLoader(open(builder -> builder, this::readAll));
  }

  @Test
  void afterTheAnswerOfARemoteStore() throws Exception {
    reachesTheLoader(open(b -> b.stores(Elsewhere.factory(network)), this::readAll));
  }

  @Test
  void afterALookIntoTheSecondLevel() throws Exception {
    LevelSettings settings = LevelSettings.of("shop").withTimeout(Duration.ofSeconds(20));
    reachesTheLoader(
        open(b -> b.secondLevel(new SecondLevel(new FakeLevel().link(), settings)), this::readAll));
  }

  @Test
  void onThreadsOfItsOwn() throws Exception {
    reachesTheLoader(open(builder -> builder, Loader.onThreads(1, 10, this::read)));
  }

  @Test
  void onThreadsOfAPool() throws Exception {
    LoaderPool pool = LoaderPool.ofThreads(1);
    toClose.add(pool);
    reachesTheLoader(open(builder -> builder, pool.loader(1, 10, this::read)));
  }

  @Test
  void onVirtualThreadsWhereThereAreAny() throws Exception {
    LoaderPool pool = LoaderPool.ofVirtualThreads(1);
    toClose.add(pool);
    reachesTheLoader(
        open(b -> b.stores(Elsewhere.factory(network)), pool.loader(1, 10, this::read)));
  }

  @Test
  void aLoadThatWaitsForAThreadHasItsOwnCallersAndNotThatOfTheLoadBefore() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    LoaderPool pool = LoaderPool.ofThreads(1);
    toClose.add(pool);
    Backend<Integer, String> backend =
        open(
            builder -> builder,
            pool.loader(
                1,
                10,
                keys -> {
                  go.await();
                  return read(keys);
                }));
    CompletableFuture<?> all =
        CompletableFuture.allOf(
            ask("ada", backend, 1), ask("bob", backend, 2), cache.request().queryOne(backend, 3));
    go.countDown();
    all.get(20, TimeUnit.SECONDS);
    assertThat(users).containsExactly("ada", "bob", "null");
  }

  @Test
  void theFirstQuerysCallerCountsForThoseWhoJoin() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Backend<Integer, String> backend =
        open(
            builder -> builder,
            Loader.onThreads(
                1,
                10,
                keys -> {
                  go.await();
                  return read(keys);
                }));
    CompletableFuture<?> all =
        CompletableFuture.allOf(ask("ada", backend, 1), ask("bob", backend, 1));
    go.countDown();
    all.get(20, TimeUnit.SECONDS);
    assertThat(users).containsExactly("ada");
    assertThat(followed.lines).filteredOn(line -> line.contains("joined")).hasSize(1);
  }

  @Test
  void callbacksOfAQueryHaveItsCallersContextAndAreNotWithinItsLoad() throws Exception {
    LoaderPool pool = LoaderPool.ofThreads(1);
    toClose.add(pool);
    CountDownLatch go = new CountDownLatch(1);
    Backend<Integer, String> backend =
        open(
            builder -> builder,
            pool.loader(
                1,
                10,
                keys -> {
                  go.await();
                  return read(keys);
                }));
    CompletableFuture<String> seen =
        ask("ada", backend, 1)
            .thenApply(v -> USER.get() + ", " + Followed.HERE.get() + ", " + LoadContext.here());
    go.countDown();
    assertThat(seen.get(20, TimeUnit.SECONDS)).isEqualTo("ada, null, null");
  }

  /** Reads in the thread that asks, which waits for {@code go}. */
  private Loader<Integer, String> blocksItsCaller(CountDownLatch called, CountDownLatch go) {
    return Loader.on(
        Runnable::run,
        keys -> {
          called.countDown();
          go.await();
          return read(keys);
        });
  }

  /** The thread of one request answers the other, too. */
  @Test
  void aLayerAfterTheLoadOfAnotherQueryHasItsOwnCallersContext() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Backend<Integer, String> backend = open(builder -> builder, blocksItsCaller(called, go));
    Future<String> afterwards =
        network.submit(
            () -> {
              try (Scope scope = as("ada")) {
                cache.request().queryOne(backend, 1).join();
                return USER.get();
              }
            });
    called.await();
    FanoutRequest request = cache.request();
    CompletableFuture<String> second;
    try (Scope scope = as("bob")) {
      second = request.queryOne(backend, 1).thenCompose(value -> request.queryOne(backend, 2));
    }
    go.countDown();
    assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo("v2");
    assertThat(users).containsExactly("ada", "bob");
    assertThat(afterwards.get(20, TimeUnit.SECONDS)).isEqualTo("ada");
    assertThat(network.submit(USER::get).get(20, TimeUnit.SECONDS)).isNull();
  }

  /** A loader that blocks its caller may answer a query within the load of another backend. */
  @Test
  void callbacksAreInNoLoadAlthoughALoaderRunsThem() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Backend<Integer, String> inner = open(builder -> builder, blocksItsCaller(called, go));
    Backend<Integer, String> outer =
        cache.add(
            BackendSpec.of(
                    "outer",
                    (Integer key, String value) -> 10,
                    (List<Integer> keys) -> cache.request().query(inner, keys))
                .with(ScriptedCache.PATIENT));
    Future<?> first = network.submit(() -> ask("ada", outer, 1).join());
    called.await();
    CompletableFuture<String> seen =
        cache.request().queryOne(inner, 1).thenApply(value -> LoadContext.here() + ", " + users);
    go.countDown();
    assertThat(seen.get(20, TimeUnit.SECONDS)).isEqualTo("null, [ada]");
    assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo("v1");
  }

  @Test
  void callbacksOfAQueryThatTimesOutHaveItsCallersContext() throws Exception {
    Backend<Integer, String> backend = open(b -> b, keys -> new CompletableFuture<>());
    CompletableFuture<String> seen;
    try (Scope scope = as("ada")) {
      seen =
          cache
              .request(Duration.ofMillis(20))
              .queryOne(backend, 1)
              .exceptionally(why -> why.getClass().getSimpleName() + " of " + USER.get());
    }
    assertThat(seen.get(20, TimeUnit.SECONDS)).endsWith("Exception of ada");
  }

  @Test
  void aRefreshHasTheContextOfNoQuery() throws Exception {
    ManualClock clock = new ManualClock();
    open(b -> b.clock(clock), this::readAll);
    Backend<Integer, String> backend =
        cache.add(
            BackendSpec.of("fresh", (Integer key, String value) -> 10, this::readAll)
                .with(
                    ScriptedCache.PATIENT.withFreshness(
                        Freshness.timeToLive(Duration.ofMinutes(10))
                            .withRefreshAfter(Duration.ofMinutes(1)))));
    ask("ada", backend, 1).get(20, TimeUnit.SECONDS);
    clock.pass(Duration.ofMinutes(2));
    ask("bob", backend, 1).get(20, TimeUnit.SECONDS);
    // The last that a loader records.
    Waiting.until(() -> loads.size() >= 2);
    assertThat(users).containsExactly("ada", "null");
    assertThat(loads.get(1)).isEqualTo("refresh fresh");
  }

  @Test
  void aLoaderThatQueriesAnotherBackendHasItsOwnContextAgainAfterwards() throws Exception {
    Backend<Integer, String> inner = open(builder -> builder, this::readAll);
    Backend<Integer, String> outer =
        cache.add(
            BackendSpec.of(
                    "outer",
                    (Integer key, String value) -> 10,
                    keys -> {
                      read(keys);
                      return cache.request().query(inner, keys).thenCompose(found -> readAll(keys));
                    })
                .with(ScriptedCache.PATIENT));
    assertThat(ask("ada", outer, 1).get(20, TimeUnit.SECONDS)).isEqualTo("v1");
    assertThat(users).containsExactly("ada", "ada", "ada");
    assertThat(loads.get(0)).isEqualTo(loads.get(2)).startsWith("request1/outer");
    assertThat(loads.get(1)).startsWith("request3/songs");
  }

  /** Callers on many threads, a pool, and keys that several callers query. */
  @Test
  void noLoadHasTheContextOfAQueryThatDidNotAskForIt() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("CarriedContextTest seed " + seed);
    LoaderPool pool = LoaderPool.ofThreads(3);
    toClose.add(pool);
    Map<Integer, List<String>> read = new ConcurrentHashMap<>();
    Backend<Integer, String> backend =
        open(
            b -> b.stores(Elsewhere.factory(network)),
            pool.loader(
                3,
                100_000,
                keys -> {
                  keys.forEach(
                      key ->
                          read.computeIfAbsent(key, k -> new CopyOnWriteArrayList<>())
                              .add(String.valueOf(USER.get())));
                  return read(keys);
                }));
    List<Thread> callers =
        IntStream.range(0, 4)
            .mapToObj(caller -> new Thread(() -> callAtRandom(backend, caller, seed + caller)))
            .toList();
    callers.forEach(Thread::start);
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(read).isNotEmpty();
    // A user queries its own keys, from 1000 on, and some shared keys.
    read.forEach(
        (key, who) ->
            assertThat(who)
                .as("key %d", key)
                .allMatch(user -> key < 1000 || user.equals("u" + key / 1000)));
    assertThat(followed.queries).hasSize(4 * 500);
    assertThat(followed.loads).hasSize((int) followed.lines.stream().filter(BEGUN).count());
    assertThat(followed.lines).noneMatch(line -> line.contains("elsewhere"));
  }

  private void callAtRandom(Backend<Integer, String> backend, int caller, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      int user = 1 + caller;
      try (Scope scope = as("u" + user);
          FanoutRequest request = cache.request()) {
        request
            .query(backend, List.of(random.nextInt(20), 1000 * user + random.nextInt(300)))
            .join();
      }
    }
  }
}
