/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static dev.manx.client.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.level.LevelStats;
import dev.manx.client.level.SecondLevel;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers of one application with a shared second level. */
@Timeout(60)
class SecondLevelTest extends SecondLevelServers {
  @Test
  void anotherServerFindsWhatOneHasLoaded() throws Exception {
    warm(1, "one");
    Server second = server();
    assertThat(second.finds(1)).isEqualTo("one");
    assertThat(second.songs.stats().level().hits()).isEqualTo(1);
    assertThat(second.songs.stats().misses()).isEqualTo(1);
    assertThat(second.songs.stats().loadFailures()).isZero();
    int commands = level.commands.get();
    assertThat(second.finds(1)).isEqualTo("one");
    assertThat(level.commands).as("the first level has it").hasValue(commands);
    assertThat(level.expiries()).allMatch(expiry -> expiry.compareTo(Duration.ofHours(1)) <= 0);
  }

  /** Its latency says nothing about the backend's load. */
  @Test
  void whatItAnswersIsNotAMissOfTheBackend() throws Exception {
    warm(1, "one");
    Server second = server();
    assertThat(second.finds(1)).isEqualTo("one");
    second.loads(2, "two");
    second.cache.tick();
    assertThat(second.cache.recent().misses(0)).isEqualTo(1);
    assertThat(second.cache.recent().hits(0)).isEqualTo(1);
  }

  @Test
  void aValueReadBeforeAnInvalidationIsNotPutAfterIt() throws Exception {
    Server first = warm(1, "one");
    Server second = server();
    CompletableFuture<String> slow = second.ask(2);
    Scripted.Call call = second.call(0);
    first.songs.invalidate(List.of(2)).toCompletableFuture().join();
    call.answer().complete(Map.of(2, "old"));
    assertThat(slow.get()).isEqualTo("old");
    until(() -> second.songs.stats().level().refused() == 1);
    server().loads(2, "new");
  }

  @Test
  void aLeaseOfALoadThatWasOvertakenIsNotThatOfTheNext() throws Exception {
    Server first = warm(1, "one");
    Server second = server();
    CompletableFuture<String> slow = second.ask(2);
    Scripted.Call call = second.call(0);
    first.songs.invalidate(List.of(2)).toCompletableFuture().join();
    Server third = server();
    CompletableFuture<String> next = third.ask(2);
    Scripted.Call nextCall = third.call(0);
    call.answer().complete(Map.of(2, "old"));
    assertThat(slow.get()).isEqualTo("old");
    until(() -> second.songs.stats().level().refused() == 1);
    nextCall.answer().complete(Map.of(2, "new"));
    assertThat(next.get()).isEqualTo("new");
    until(() -> third.songs.stats().level().fills() == 1);
    assertThat(server().finds(2)).isEqualTo("new");
  }

  @Test
  void ofTwoServersThatLoadTheSameOnePuts() throws Exception {
    warm(1, "one");
    Server second = server();
    Server third = server();
    CompletableFuture<String> one = second.ask(2);
    second.call(0);
    CompletableFuture<String> other = third.ask(2);
    third.call(0).answerAll();
    second.call(0).answerAll();
    assertThat(one.get()).isEqualTo(other.get()).isEqualTo("v2");
    until(() -> second.songs.stats().level().fills() == 1);
    assertThat(third.songs.stats().level().fills()).isZero();
  }

  @Test
  void allKeysAreForgottenAtOnceAndWhatIsUnderWayIsNotFoundLater() throws Exception {
    Server first = warm(1, "one");
    Server second = server();
    CompletableFuture<String> slow = second.ask(2);
    Scripted.Call call = second.call(0);
    first.songs.invalidateAll().toCompletableFuture().join();
    call.answer().complete(Map.of(2, "old"));
    assertThat(slow.get()).isEqualTo("old");
    until(() -> second.songs.stats().level().fills() == 1);
    Server third = server();
    third.loads(1, "new one");
    third.loads(2, "new");
    until(() -> third.songs.stats().level().fills() == 1);
    assertThat(server().finds(2)).isEqualTo("new");
  }

  /** Otherwise they could look there before it has removed the key. */
  @Test
  void othersAreToldWhenTheSecondLevelHasForgotten() throws Exception {
    Server first = warm(1, "one");
    Server second = server();
    assertThat(second.finds(1)).isEqualTo("one");
    CompletableFuture<Void> released = new CompletableFuture<>();
    level.deletes = released;
    CompletableFuture<Void> done = first.songs.invalidate(List.of(1)).toCompletableFuture();
    assertThat(second.finds(1)).isEqualTo("one");
    first.loads(1, "new");
    assertThat(done).isNotDone();
    released.complete(null);
    done.get();
    second.loads(1, "new");
  }

  @Test
  void anInvalidationThatIsNotConfirmedFailsAndIsRepeated() throws Exception {
    Server first = warm(1, "one");
    Server second = server();
    assertThat(second.finds(1)).isEqualTo("one");
    level.away = true;
    assertThatThrownBy(() -> first.songs.invalidate(List.of(1)).toCompletableFuture().get())
        .hasMessageContaining("second level has not confirmed");
    assertThat(first.songs.stats().level().unconfirmed()).isEqualTo(1);
    second.loads(1, "newer");
    level.away = false;
    // The second server is notified again, because it may have found the old value in the meantime.
    until(() -> first.songs.stats().level().unconfirmed() == 0);
    until(() -> second.songs.getIfPresent(1).toCompletableFuture().join() == null);
    assertThat(level.values).doesNotContainKey("manx:level:shop:songs:1");
  }

  @Test
  void aKeyWhoseInvalidationIsNotConfirmedIsNotLookedFor() throws Exception {
    Server first = warm(1, "one");
    level.away = true;
    CompletableFuture<Void> done = first.songs.invalidate(List.of(1)).toCompletableFuture();
    assertThatThrownBy(done::get).isNotNull();
    level.deletes = new CompletableFuture<>();
    level.away = false;
    first.loads(1, "new");
    assertThat(level.values).containsKey("manx:level:shop:songs:1");
  }

  @Test
  void aPutForgetsTheValueThere() throws Exception {
    Server first = warm(1, "one");
    first.songs.put(1, "put").toCompletableFuture().get();
    assertThat(first.finds(1)).isEqualTo("put");
    server().loads(1, "put");
  }

  @Test
  void severalPutValuesAreForgottenThereAndOnTheOtherServers() throws Exception {
    Server first = warm(1, "one");
    Server second = server();
    assertThat(second.finds(1)).isEqualTo("one");
    second.loads(3, "three");
    first.songs.putAll(Map.of(1, "new", 2, "two")).toCompletableFuture().get();
    assertThat(first.finds(1)).isEqualTo("new");
    assertThat(first.finds(2)).isEqualTo("two");
    second.loads(1, "new");
    assertThat(second.finds(3)).as("it is not among them").isEqualTo("three");
  }

  @Test
  void foundKeysAreAnsweredThoughTheBackendFails() throws Exception {
    warm(1, "one");
    Server second = server();
    QueryResults<Integer, String> results;
    try (FanoutRequest request = second.cache.request()) {
      CompletableFuture<QueryResults<Integer, String>> asked =
          request.queryEach(second.songs, List.of(1, 2));
      Scripted.Call call = second.call(0);
      assertThat(call.keys()).containsExactly(2);
      call.answer().completeExceptionally(new IllegalStateException("down"));
      results = asked.get();
    }
    assertThat(results.found()).containsOnly(Map.entry(1, "one"));
    assertThat(results.failed()).containsOnlyKeys(2);
    assertThat(second.songs.stats().staleAnswers()).isZero();
    assertThat(second.finds(1)).as("kept though the load has failed").isEqualTo("one");
  }

  @Test
  void aSecondLevelThatIsAwayIsAskedNoMore() throws Exception {
    Server first = warm(1, "one");
    level.away = true;
    for (int key = 10; key < 20; key++) {
      first.loads(key, "v");
    }
    assertThat(first.songs.stats().level().failures()).isEqualTo(10);
    assertThat(first.songs.stats().loadFailures()).isZero();
    level.away = false;
    int key = 20;
    while (first.songs.stats().level().fills() == 1) {
      first.loads(key++, "v");
    }
  }

  @Test
  void aRefreshReplacesWhatIsThere() throws Exception {
    Server first = server(Freshness.FOREVER.withRefreshAfter(Duration.ofMillis(1)));
    first.loads(0, "begins");
    until(() -> !level.values.isEmpty());
    first.loads(1, "one");
    until(() -> first.songs.stats().level().fills() == 1);
    int calls = first.loader.calls.size();
    until(
        () -> {
          first.ask(1).join();
          return first.loader.calls.size() > calls;
        });
    first.call(calls).answer().complete(Map.of(1, "newer"));
    until(() -> first.songs.stats().level().fills() == 2);
    assertThat(server().finds(1)).isEqualTo("newer");
  }

  /** It is due after half a second, when the second level has the same value. */
  @Test
  void aRefreshOfAnEntryWithAShortLifeAsksTheBackend() throws Exception {
    Server first = server();
    Scripted loader = new Scripted();
    Freshness fresh =
        Freshness.timeToLive(Duration.ofHours(1)).withRefreshAfter(Duration.ofMinutes(1));
    Backend<Integer, String> users =
        first.cache.add(
            BackendSpec.<Integer, String>of("users", (key, value) -> 100, loader)
                .with(TEXT)
                .with(BackendSettings.DEFAULTS.withFreshness(fresh))
                .with((key, value) -> Duration.ofSeconds(30)));
    for (int key = 0; key < 2; key++) {
      CompletableFuture<String> answer = first.cache.request().queryOne(users, key);
      int call = key;
      until(() -> loader.calls.size() > call);
      loader.last().answerAll();
      assertThat(answer.join()).isEqualTo("v" + key);
      until(() -> !level.values.isEmpty());
    }
    until(() -> users.stats().level().fills() == 1);
    until(
        () -> {
          var unused = first.cache.request().queryOne(users, 1);
          return users.stats().refreshes() == 1;
        });
    until(() -> loader.calls.size() == 3);
  }

  /** Its entries live as long as those of the second level, here an hour. */
  @Test
  void aRefreshAfterTheLifeInTheSecondLevelIsRejectedByItsName() {
    Freshness late = Freshness.FOREVER.withRefreshAfter(Duration.ofHours(2));
    assertThatThrownBy(() -> server(late))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("backend songs: refresh-after = ")
        .hasMessageContaining("less than second-level.time-to-live (");
    for (String text :
        List.of("backends: { songs: { refresh-after: 2h } }", "backend: { refresh-after: 2h }")) {
      FanoutCacheBuilder builder =
          FanoutCache.builder()
              .secondLevel(new SecondLevel(level.link(), settings()))
              .drivenByHost()
              .configure(ConfigNode.parse("cache.yaml", "{ capacity: 4MiB,\n" + text + " }"));
      try (FanoutCache cache = builder.open()) {
        assertThatThrownBy(
                () ->
                    cache.add(
                        BackendSpec.<Integer, String>of("songs", (k, v) -> 100, new Scripted())
                            .with(TEXT)))
            .isInstanceOf(ConfigException.class)
            .hasMessageStartingWith("cache.yaml:2: backend")
            .hasMessageContaining("refresh-after = '2h' is invalid")
            .hasMessageContaining("less than second-level.time-to-live (")
            .hasMessageContaining("backend songs");
      }
    }
  }

  @Test
  void aBackendNeedsACodec() {
    Server first = server();
    assertThatThrownBy(
            () ->
                first.cache.add(
                    BackendSpec.<Integer, String>of("users", (k, v) -> 1, new Scripted())))
        .hasMessage("backend users needs a codec to be kept in the second level");
  }

  @Test
  void valuesWithoutATimeToLiveHaveThatOfTheSecondLevel() {
    assertThat(server().songs.settings().freshness().timeToLive()).isEqualTo(Duration.ofHours(1));
  }

  /** Each look-up waits for the second level longer than the backend may take. */
  @Test
  void aSecondLevelThatIsSlowerThanTheBackendsTimeOutFailsNoLoad() throws Exception {
    level.hangs = true;
    try (FanoutCache cache =
        FanoutCache.builder()
            .secondLevel(
                new SecondLevel(level.link(), settings().withTimeout(Duration.ofSeconds(1))))
            .drivenByHost()
            .open()) {
      Backend<Integer, String> songs =
          cache.add(
              BackendSpec.<Integer, String>of(
                      "songs",
                      (key, value) -> 100,
                      keys -> CompletableFuture.completedFuture(Map.of(keys.get(0), "v")))
                  .with(TEXT)
                  .with(
                      BackendSettings.DEFAULTS
                          .withTimeOut(Duration.ofMillis(500))
                          .withBreaker(new BreakerSettings(1, 0.5, Duration.ofHours(1)))));
      for (int key = 0; key < 3; key++) {
        assertThat(cache.request().queryOne(songs, key).get(20, TimeUnit.SECONDS)).isEqualTo("v");
      }
      assertThat(songs.stats().loadTimeOuts()).isZero();
      assertThat(songs.stats().breakerOpen()).isFalse();
    }
  }

  @Test
  void refreshesAreNeitherHitsNorMissesOfTheSecondLevel() throws Exception {
    Server first = server(Freshness.FOREVER.withRefreshAfter(Duration.ofMillis(1)));
    first.loads(1, "one");
    LevelStats before = first.songs.stats().level();
    assertThat(before.misses()).isEqualTo(1);
    int calls = first.loader.calls.size();
    until(
        () -> {
          first.ask(1).join();
          return first.loader.calls.size() > calls;
        });
    assertThat(first.songs.stats().refreshes()).isPositive();
    assertThat(first.songs.stats().level().misses()).isEqualTo(1);
    assertThat(first.songs.stats().level().hits()).isZero();
    assertThat(first.songs.stats().misses()).isEqualTo(1);
  }
}
