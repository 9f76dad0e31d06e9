/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.store.Codec;
import dev.manx.client.store.StoreSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times to live, refresh ahead, and old values while a backend fails; on a clock that is moved. */
@Timeout(60)
class FreshnessTest {
  private static final Freshness MINUTE = Freshness.timeToLive(Duration.ofMinutes(1));

  private static final Codec<Integer, String> BYTES =
      new Codec<>() {
        @Override
        public String key(Integer key) {
          return key.toString();
        }

        @Override
        public byte[] encode(String value) {
          return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(Integer key, byte[] bytes) {
          return new String(bytes, StandardCharsets.UTF_8);
        }
      };

  private final ManualClock clock = new ManualClock();
  private final Replies songs = new Replies();
  private FanoutCache cache;

  @AfterEach
  void close() {
    cache.close();
  }

  private Backend<Integer, String> open(boolean local, BackendSettings settings) {
    return open(local, settings, null);
  }

  private Backend<Integer, String> open(
      boolean local, BackendSettings settings, Expiry<Integer, String> expiry) {
    FanoutCacheBuilder builder = FanoutCache.builder().drivenByHost().clock(clock);
    if (!local) {
      builder.stores(Elsewhere.factory(Runnable::run));
    }
    cache = builder.open();
    BackendSpec<Integer, String> spec =
        BackendSpec.<Integer, String>of("songs", (k, v) -> 10, songs).with(settings).with(BYTES);
    return cache.add(expiry == null ? spec : spec.with(expiry));
  }

  private static BackendSettings with(Freshness freshness) {
    return BackendSettings.DEFAULTS.withTimeOut(Duration.ofMinutes(1)).withFreshness(freshness);
  }

  private CompletableFuture<String> ask(Backend<Integer, String> backend, int key) {
    return cache.request().queryOne(backend, key);
  }

  private CompletableFuture<Map<Integer, String>> ask(
      Backend<Integer, String> backend, List<Integer> keys) {
    return cache.request().query(backend, keys);
  }

  private static List<Integer> keys(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  private static <T> T get(CompletableFuture<T> answer) throws Exception {
    return answer.get(20, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEntryIsAMissAfterItsTimeToLive(boolean local) throws Exception {
    Backend<Integer, String> backend = open(local, with(MINUTE));
    CompletableFuture<String> first = ask(backend, 1);
    songs.next().with("a");
    assertThat(get(first)).isEqualTo("a1");
    clock.pass(Duration.ofSeconds(59));
    assertThat(ask(backend, 1)).isCompletedWithValue("a1");
    clock.pass(Duration.ofSeconds(1));
    CompletableFuture<String> second = ask(backend, 1);
    songs.next().with("b");
    assertThat(get(second)).isEqualTo("b1");
    assertThat(backend.stats().misses()).isEqualTo(2);
  }

  @Test
  void jitterSpreadsTheExpiryOfWhatWasLoadedTogether() throws Exception {
    Backend<Integer, String> backend = open(true, with(MINUTE.withJitter(0.5)));
    CompletableFuture<?> all = ask(backend, keys(1_000));
    songs.next().with("a");
    get(all);
    clock.pass(Duration.ofSeconds(30).minusMillis(1));
    assertThat(present(backend)).isEqualTo(1_000);
    clock.pass(Duration.ofSeconds(15));
    assertThat(present(backend)).isBetween(400, 600);
    clock.pass(Duration.ofSeconds(15).plusMillis(1));
    assertThat(present(backend)).isZero();
  }

  private static int present(Backend<Integer, String> backend) throws Exception {
    int present = 0;
    for (int key : keys(1_000)) {
      present += get(backend.getIfPresent(key).toCompletableFuture()) == null ? 0 : 1;
    }
    return present;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void dueKeysAreAnsweredAtOnceAndReadAgainTogether(boolean local) throws Exception {
    Backend<Integer, String> backend =
        open(local, with(MINUTE.withRefreshAfter(Duration.ofSeconds(20))));
    CompletableFuture<?> first = ask(backend, keys(100));
    songs.next().with("old");
    get(first);
    clock.pass(Duration.ofSeconds(20));
    assertThat(ask(backend, keys(100))).isCompleted();
    assertThat(ask(backend, keys(100))).isCompleted();
    Replies.Call refresh = songs.next();
    List<Integer> read = new ArrayList<>(refresh.keys());
    assertThat(ask(backend, 7)).isCompletedWithValue("old7");
    refresh.with("new");
    if (read.size() < 100) {
      // Asked for after the two milliseconds; they waited together until the first load had ended.
      Replies.Call rest = songs.next();
      read.addAll(rest.keys());
      rest.with("new");
    }
    assertThat(read).containsExactlyInAnyOrderElementsOf(keys(100));
    assertThat(ask(backend, 7)).isCompletedWithValue("new7");
    clock.pass(Duration.ofSeconds(19));
    assertThat(ask(backend, keys(100))).isCompleted();
    assertThat(songs.quiet()).isTrue();
    assertThat(backend.stats().refreshes()).isEqualTo(100);
    assertThat(backend.stats().misses()).isEqualTo(100);
    assertThat(backend.stats().hits()).isEqualTo(302);
  }

  @Test
  void theControllerSeesNoRefreshes() throws Exception {
    Backend<Integer, String> backend =
        open(true, with(MINUTE.withRefreshAfter(Duration.ofSeconds(1))));
    CompletableFuture<?> first = ask(backend, 1);
    songs.next().with("old");
    get(first);
    clock.pass(Duration.ofSeconds(2));
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    songs.next().with("new");
    cache.tick();
    assertThat(cache.recent().misses(0)).isEqualTo(1);
    assertThat(cache.recent().hits(0)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRefreshThatFailsLeavesTheEntryAndIsTriedAgainLater(boolean local) throws Exception {
    Backend<Integer, String> backend =
        open(
            local,
            with(MINUTE.withRefreshAfter(Duration.ofSeconds(20)))
                .withTimeOut(Duration.ofSeconds(5)));
    CompletableFuture<?> first = ask(backend, List.of(1, 2));
    songs.next().with("old");
    get(first);
    clock.pass(Duration.ofSeconds(20));
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    songs.next().fails();
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    clock.pass(Duration.ofSeconds(4));
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    assertThat(ask(backend, 2)).isCompletedWithValue("old2");
    Replies.Call other = songs.next();
    assertThat(other.keys()).as("the other key alone").containsExactly(2);
    other.with("new");
    clock.pass(Duration.ofSeconds(1));
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    songs.next().with("new");
    assertThat(ask(backend, 1)).isCompletedWithValue("new1");
    assertThat(backend.stats().loadFailures()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRefreshThatFindsNothingForgetsTheEntry(boolean local) throws Exception {
    Backend<Integer, String> backend =
        open(local, with(MINUTE.withRefreshAfter(Duration.ofSeconds(20))));
    CompletableFuture<?> first = ask(backend, 1);
    songs.next().with("old");
    get(first);
    clock.pass(Duration.ofSeconds(20));
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    songs.next().answers(Map.of());
    assertThat(backend.getIfPresent(1)).isCompletedWithValue(null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anInvalidationDuringARefreshWins(boolean local) throws Exception {
    Backend<Integer, String> backend =
        open(local, with(MINUTE.withRefreshAfter(Duration.ofSeconds(20))));
    CompletableFuture<?> first = ask(backend, 1);
    songs.next().with("old");
    get(first);
    clock.pass(Duration.ofSeconds(20));
    assertThat(ask(backend, 1)).isCompletedWithValue("old1");
    Replies.Call refresh = songs.next();
    assertThat(backend.invalidate(List.of(1))).isCompleted();
    refresh.with("read before");
    assertThat(backend.getIfPresent(1)).isCompletedWithValue(null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anExpiredValueIsAnsweredWhileTheBackendFails(boolean local) throws Exception {
    Backend<Integer, String> backend =
        open(local, with(MINUTE.withStaleIfError(Duration.ofMinutes(10))));
    CompletableFuture<?> first = ask(backend, 1);
    songs.next().with("old");
    get(first);
    clock.pass(Duration.ofMinutes(5));
    CompletableFuture<String> stale = ask(backend, 1);
    assertThat(stale).isNotDone();
    songs.next().fails();
    assertThat(get(stale)).isEqualTo("old1");
    assertThat(backend.stats().staleAnswers()).isEqualTo(1);
    assertThat(backend.stats().misses()).isEqualTo(2);

    CompletableFuture<Map<Integer, String>> both = ask(backend, List.of(1, 2));
    songs.next().fails();
    assertThatThrownBy(() -> get(both)).hasMessageContaining("down");

    clock.pass(Duration.ofMinutes(6));
    CompletableFuture<String> gone = ask(backend, 1);
    songs.next().fails();
    assertThatThrownBy(() -> get(gone)).hasMessageContaining("down");
  }

  @Test
  void aTimeOutIsAnsweredByAnExpiredValueToo() throws Exception {
    Backend<Integer, String> backend =
        open(
            true,
            with(MINUTE.withStaleIfError(Duration.ofMinutes(10)))
                .withTimeOut(Duration.ofMillis(30)));
    assertThat(backend.put(1, "old")).isCompleted();
    clock.pass(Duration.ofMinutes(5));
    assertThat(get(ask(backend, 1))).isEqualTo("old");
    assertThat(backend.stats().loadTimeOuts()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aKeyWithoutAnOldValueFailsForItselfAlone(boolean local) throws Exception {
    Backend<Integer, String> backend =
        open(local, with(MINUTE.withStaleIfError(Duration.ofMinutes(10))));
    assertThat(backend.put(1, "old")).isCompleted();
    clock.pass(Duration.ofMinutes(5));
    CompletableFuture<Results<Integer, String>> both =
        cache.request().queryEach(backend, List.of(1, 2));
    songs.next().fails();
    assertThat(get(both).found()).containsExactly(Map.entry(1, "old"));
    assertThat(get(both).failed()).containsOnlyKeys(2);
    assertThat(backend.stats().staleAnswers()).isEqualTo(1);
  }

  @Test
  void aRequestsDeadlineIsMetWithExpiredValues() throws Exception {
    Backend<Integer, String> backend =
        open(true, with(MINUTE.withStaleIfError(Duration.ofMinutes(10))));
    assertThat(backend.put(1, "old")).isCompleted();
    clock.pass(Duration.ofMinutes(5));
    Request request = cache.request(Duration.ofMillis(30));
    CompletableFuture<String> stale = request.queryOne(backend, 1);
    CompletableFuture<Results<Integer, String>> each = request.queryEach(backend, List.of(1, 2));
    CompletableFuture<String> never = request.queryOne(backend, 2);
    assertThat(get(stale)).isEqualTo("old");
    assertThat(get(each).found()).containsExactly(Map.entry(1, "old"));
    assertThat(get(each).failed()).containsOnlyKeys(2);
    assertThatThrownBy(() -> get(never)).hasMessageContaining("did not end in time");
    assertThat(backend.stats().loadTimeOuts()).isZero();
  }

  @Test
  void anEntryThatIsNotAskedForExpires() {
    Backend<Integer, String> backend =
        open(true, with(Freshness.FOREVER.withIdleTime(Duration.ofMinutes(1))));
    assertThat(backend.put(1, "used")).isCompleted();
    assertThat(backend.put(2, "idle")).isCompleted();
    for (int i = 0; i < 5; i++) {
      clock.pass(Duration.ofSeconds(40));
      assertThat(ask(backend, 1)).isCompletedWithValue("used");
    }
    assertThat(backend.getIfPresent(2)).isCompletedWithValue(null);
  }

  @Test
  void anEntryThatWasNotAskedForIsNoAnswerWhileTheBackendFails() throws Exception {
    Backend<Integer, String> backend =
        open(true, with(Freshness.FOREVER.withIdleTime(Duration.ofMinutes(1))));
    assertThat(backend.put(1, "idle")).isCompleted();
    clock.pass(Duration.ofMinutes(1));
    CompletableFuture<String> gone = ask(backend, 1);
    songs.next().fails();
    assertThatThrownBy(() -> get(gone)).hasMessageContaining("down");
    assertThat(backend.stats().staleAnswers()).isZero();
  }

  @Test
  void anEntryThatWasNotAskedForIsAnOldValueAsLongAsAnExpiredOne() throws Exception {
    Backend<Integer, String> backend =
        open(
            true,
            with(
                Freshness.timeToLive(Duration.ofHours(1))
                    .withIdleTime(Duration.ofMinutes(1))
                    .withStaleIfError(Duration.ofMinutes(5))));
    assertThat(backend.put(1, "idle")).isCompleted();
    clock.pass(Duration.ofMinutes(5));
    CompletableFuture<String> stale = ask(backend, 1);
    songs.next().fails();
    assertThat(get(stale)).isEqualTo("idle");
    clock.pass(Duration.ofMinutes(1));
    CompletableFuture<String> gone = ask(backend, 1);
    songs.next().fails();
    assertThatThrownBy(() -> get(gone)).hasMessageContaining("down");
  }

  @Test
  void aRemoteStoreRefusesIdleTimes() {
    assertThatThrownBy(
            () -> open(false, with(Freshness.FOREVER.withIdleTime(Duration.ofMinutes(1)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("songs")
        .hasMessageContaining("idle-time");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEntryMayHaveATimeToLiveOfItsOwn(boolean local) {
    Backend<Integer, String> backend =
        open(
            local,
            with(MINUTE),
            (key, value) ->
                switch (key) {
                  case 1 -> Duration.ofSeconds(5);
                  case 2 -> Duration.ZERO;
                  default -> null;
                });
    for (int key = 1; key <= 3; key++) {
      assertThat(backend.put(key, "v")).isCompleted();
    }
    assertThat(backend.getIfPresent(1)).isCompletedWithValue("v");
    assertThat(backend.getIfPresent(2)).as("not kept").isCompletedWithValue(null);
    clock.pass(Duration.ofSeconds(5));
    assertThat(backend.getIfPresent(1)).isCompletedWithValue(null);
    assertThat(backend.getIfPresent(3)).isCompletedWithValue("v");
    clock.pass(Duration.ofSeconds(55));
    assertThat(backend.getIfPresent(3)).isCompletedWithValue(null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEntryMayLiveForEver(boolean local) {
    Backend<Integer, String> backend =
        open(local, with(MINUTE), (key, value) -> ChronoUnit.FOREVER.getDuration());
    assertThat(backend.put(1, "v")).isCompleted();
    clock.pass(Duration.ofDays(365));
    assertThat(backend.getIfPresent(1)).isCompletedWithValue("v");
    assertThat(backend.stats().notKept()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTimeThatCannotBeToldMeansNotKept(boolean local) {
    Backend<Integer, String> backend =
        open(
            local,
            with(MINUTE),
            (key, value) -> {
              throw new IllegalStateException("which day is it?");
            });
    assertThat(backend.put(1, "v")).isCompleted();
    assertThat(backend.getIfPresent(1)).isCompletedWithValue(null);
    assertThat(backend.stats().notKept()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLookIntoTheCacheStartsNoRefresh(boolean local) throws Exception {
    Backend<Integer, String> backend =
        open(local, with(MINUTE.withRefreshAfter(Duration.ofSeconds(20))));
    assertThat(backend.put(1, "old")).isCompleted();
    assertThat(backend.put(2, "old")).isCompleted();
    clock.pass(Duration.ofSeconds(20));
    assertThat(backend.getIfPresent(1)).isCompletedWithValue("old");
    assertThat(ask(backend, 2)).isCompletedWithValue("old");
    Replies.Call refresh = songs.next();
    assertThat(refresh.keys()).containsExactly(2);
    refresh.with("new");
    assertThat(ask(backend, 1)).isCompletedWithValue("old");
    assertThat(songs.next().keys()).as("due all the same").containsExactly(1);
  }

  @Test
  void oldValuesNeedATimeToLive() {
    BackendSettings never = with(Freshness.FOREVER.withStaleIfError(Duration.ofHours(1)));
    assertThatThrownBy(() -> open(true, never))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "backend songs: stale-if-error = 1h is invalid; allowed: 0 without a time-to-live");
    cache.close();
    assertThat(open(true, never, (key, value) -> Duration.ofMinutes(1)).name()).isEqualTo("songs");
  }

  /** Times travel with the value to a store that keeps bytes. */
  @Test
  void timesSurviveTheirBytes() {
    cache = FanoutCache.builder().drivenByHost().open();
    Codec<Integer, Timed<String>> timed =
        TimedStore.spec(new StoreSpec<Integer, String>("songs", 0, (k, v) -> 1, Optional.of(BYTES)))
            .codec()
            .orElseThrow();
    Timed<String> back = timed.decode(1, timed.encode(new Timed<>("value", 5, -7, Timed.NEVER, 0)));
    assertThat(back.value).isEqualTo("value");
    assertThat(back.hardNanos).isEqualTo(5);
    assertThat(back.goneNanos).isEqualTo(-7);
    assertThat(back.softNanos()).isEqualTo(Timed.NEVER);
  }
}
