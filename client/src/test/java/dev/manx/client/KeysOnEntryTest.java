/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of keys by the application after a call, and the effect of invalid keys. */
@Timeout(60)
class KeysOnEntryTest {
  private final ConcurrentLinkedQueue<Runnable> store = new ConcurrentLinkedQueue<>();
  private FanoutCache cache;

  @AfterEach
  void close() {
    cache.close();
  }

  private <K> Backend<K, String> open(boolean local, Loader<K, String> loader) {
    FanoutCacheBuilder builder = FanoutCache.builder().drivenByHost();
    if (!local) {
      builder.stores(Elsewhere.factory(store::add));
    }
    cache = builder.open();
    return cache.add(BackendSpec.of("songs", (k, v) -> 10, loader));
  }

  private void storeAnswers() {
    for (Runnable next = store.poll(); next != null; next = store.poll()) {
      next.run();
    }
  }

  private static <K> CompletionStage<Map<K, String>> all(Collection<K> keys) {
    Map<K, String> values = Query.mapFor(keys.size());
    keys.forEach(key -> values.put(key, "v" + key));
    return CompletableFuture.completedFuture(values);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aListThatIsChangedAfterwardsIsAnsweredAsItWas(boolean local) throws Exception {
    Backend<Integer, String> backend = open(local, KeysOnEntryTest::all);
    List<Integer> keys = new ArrayList<>(List.of(1, 2));
    CompletableFuture<Map<Integer, String>> answer = cache.request().query(backend, keys);
    keys.clear();
    storeAnswers();
    assertThat(answer.get(20, TimeUnit.SECONDS)).containsOnlyKeys(1, 2);

    keys.addAll(List.of(3, 4));
    CompletableFuture<Map<Integer, String>> more = cache.request().query(backend, keys);
    keys.set(0, null);
    storeAnswers();
    assertThat(more.get(20, TimeUnit.SECONDS)).containsOnlyKeys(3, 4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNullKeyOrBackendIsAFailedFuture(boolean local) {
    Backend<Integer, String> backend = open(local, KeysOnEntryTest::all);
    FanoutRequest request = cache.request();
    List<Integer> bad = Arrays.asList(1, null);
    fails(request.query(backend, bad), NullPointerException.class);
    fails(request.queryUncached(backend, bad), NullPointerException.class);
    fails(request.queryOne(backend, null), NullPointerException.class);
    fails(request.query(backend, null), NullPointerException.class);
    Backend<Integer, String> none = null;
    fails(request.queryOne(none, 1), NullPointerException.class);
    fails(request.queryEach(none, List.of(1)), NullPointerException.class);
    fails(backend.invalidate(bad).toCompletableFuture(), NullPointerException.class);
    assertThat(backend.stats().pending()).isZero();
  }

  /** A key that counts its comparisons with others. */
  private record Counting(int id, AtomicLong comparisons) {
    @Override
    public boolean equals(Object other) {
      comparisons.incrementAndGet();
      return other instanceof Counting key && id == key.id;
    }

    @Override
    public int hashCode() {
      return id;
    }
  }

  /** Their comparison would keep the query's lock for seconds. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void manyKeysAreNotComparedEachWithEach(boolean local) throws Exception {
    int count = 2_000;
    ManualClock clock = new ManualClock();
    AtomicLong comparisons = new AtomicLong();
    AtomicBoolean down = new AtomicBoolean();
    FanoutCacheBuilder builder = FanoutCache.builder().drivenByHost().clock(clock);
    cache = (local ? builder : builder.stores(Elsewhere.factory(Runnable::run))).open();
    Backend<Counting, String> backend =
        cache.add(
            BackendSpec.<Counting, String>of(
                    "songs",
                    (k, v) -> 10,
                    keys ->
                        down.get()
                            ? CompletableFuture.failedFuture(new IllegalStateException("down"))
                            : all(keys.subList(1, keys.size())))
                .with(
                    ScriptedCache.PATIENT
                        .withRememberAbsent(Duration.ofHours(1))
                        .withFreshness(
                            Freshness.timeToLive(Duration.ofMinutes(1))
                                .withStaleIfError(Duration.ofHours(1)))));
    List<Counting> keys = new ArrayList<>();
    for (int id = 0; id < count; id++) {
      keys.add(new Counting(id, comparisons));
    }
    for (int round = 0; round < 2; round++) {
      QueryResults<Counting, String> results =
          cache.request().queryEach(backend, keys).get(20, TimeUnit.SECONDS);
      assertThat(results.isWhole()).isTrue();
      assertThat(results.found()).hasSize(count - 1);
      clock.pass(Duration.ofMinutes(2));
      down.set(true);
    }
    assertThat(backend.stats().staleAnswers()).isEqualTo(count - 1);
    assertThat(comparisons.get()).isLessThan(100L * count);
  }

  /**
   * @param error null: its hash works
   */
  private record Bad(int id, Boolean error) {
    @Override
    public int hashCode() {
      if (error == null) {
        return id;
      }
      if (error) {
        throw new AssertionError("no hash");
      }
      throw new IllegalStateException("no hash");
    }
  }

  @ParameterizedTest
  @CsvSource({"true, false", "true, true", "false, false", "false, true"})
  void aKeyWithoutAHashIsAFailedFuture(boolean local, boolean error) throws Exception {
    Class<? extends Throwable> why = error ? AssertionError.class : IllegalStateException.class;
    Backend<Bad, String> backend = open(local, KeysOnEntryTest::all);
    Bad good = new Bad(1, null);
    List<Bad> keys = List.of(good, new Bad(2, error));
    FanoutRequest request = cache.request();
    CompletableFuture<Map<Bad, String>> several = request.query(backend, keys);
    CompletableFuture<String> one = request.queryOne(backend, keys.get(1));
    CompletableFuture<Map<Bad, String>> uncached = request.queryUncached(backend, keys);
    storeAnswers();
    fails(several, why);
    fails(one, why);
    fails(uncached, why);
    if (local) {
      CompletableFuture<String> look = backend.getIfPresent(keys.get(1)).toCompletableFuture();
      assertThat(look).isCompletedWithValue(null);
    }
    CompletableFuture<String> next = request.queryOne(backend, good);
    storeAnswers();
    assertThat(next.get(20, TimeUnit.SECONDS)).startsWith("v");
    assertThat(backend.stats().pending()).isZero();
  }

  private static void fails(CompletableFuture<?> answer, Class<? extends Throwable> why) {
    assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(why);
  }
}
