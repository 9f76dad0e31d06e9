/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.store.Sizers;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.shares.CacheStrategy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings from YAML and from code, and the rejection of invalid ones. */
// Tests check the counters, often not the answers.
@SuppressWarnings("FutureReturnValueIgnored")
class ConfigurationTest {
  @TempDir Path folder;

  private static FanoutCacheBuilder configured(String text) {
    return FanoutCache.builder().drivenByHost().configure(ConfigNode.parse("cache.yaml", text));
  }

  private static BackendSpec<Integer, String> spec(String name) {
    return BackendSpec.of(name, Sizers.of(Sizers::number, Sizers::text), new Scripted());
  }

  @Test
  void everySettingIsRead() throws Exception {
    Path file = folder.resolve("app.yaml");
    Files.writeString(
        file,
        """
        cache:
          capacity: 64MiB
          policy: { policy: cache.robinhood, tax: 2%, floor: 1MiB }
          store: { kind: caffeine, time-to-live: 10min }
          request-time-out: 500ms
          record-every: 4
          backend: { time-out: 1s, max-pending: 100 }
          backends:
            songs: { time-out: 50ms, remember-absent: 5s, absent-entries: 20, floor: 3MiB }
        """);
    try (FanoutCache cache = FanoutCache.builder().drivenByHost().configure(file).open()) {
      assertThat(cache.settings().capacityBytes()).isEqualTo(64 << 20);
      assertThat(cache.settings().requestTimeOut()).isEqualTo(Duration.ofMillis(500));
      assertThat(cache.settings().recordEvery()).isEqualTo(4);
      assertThat(cache.settings().strategy().written()).containsEntry("floor", "1MiB");
      assertThat(cache.add(spec("songs")).settings())
          .isEqualTo(
              new BackendSettings(Duration.ofMillis(50), 100, Duration.ofSeconds(5), 20, 3 << 20));
      assertThat(cache.add(spec("users")).settings().timeOut()).isEqualTo(Duration.ofSeconds(1));
      assertThat(cache.backendStats().values())
          .allSatisfy(stats -> assertThat(stats.allocatedBytes()).isEqualTo(32 << 20));
    }
  }

  @Test
  void aThirdPartysSharePolicyIsNamedLikeAnyOther() {
    try (FanoutCache cache = configured("policy: { policy: cache.kept, interval: 3s }").open()) {
      assertThat(cache.settings().strategy().written()).containsEntry("policy", "cache.kept");
    }
    FanoutCacheBuilder inCode =
        FanoutCache.builder().drivenByHost().strategy(CacheStrategy.named("cache.kept"));
    try (FanoutCache cache = inCode.open()) {
      assertThat(cache.settings().strategy().name()).isEqualTo("cache.kept");
    }
  }

  @Test
  void aSharePolicyOfTheSimulatorDividesNoCache() {
    String why = "cache.kept-in-simulator acts only in the simulator";
    for (String policy :
        List.of("cache.kept-in-simulator", "{ policy: cache.kept-in-simulator, interval: 3s }")) {
      assertThatThrownBy(() -> configured("policy: " + policy).open())
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("cache.yaml:1: policy")
          .hasMessageContaining(why);
    }
    FanoutCacheBuilder inCode =
        FanoutCache.builder()
            .drivenByHost()
            .strategy(CacheStrategy.named("cache.kept-in-simulator"));
    assertThatThrownBy(inCode::open).isInstanceOf(IllegalArgumentException.class).hasMessage(why);
  }

  @Test
  @Timeout(60)
  void freshnessAndBreakerAreRead() {
    String text =
        """
        backend: { time-to-live: 10min, jitter: 10% }
        backends:
          songs:
            refresh-after: 1min
            stale-if-error: 1h
            idle-time: 5min
            breaker: { loads: 50, failures: 20%, open-for: 3s }
        """;
    try (FanoutCache cache = configured(text).open()) {
      BackendSettings songs = cache.add(spec("songs")).settings();
      assertThat(songs.freshness())
          .isEqualTo(
              new Freshness(
                  Duration.ofMinutes(10),
                  Duration.ofMinutes(1),
                  0.1,
                  Duration.ofMinutes(5),
                  Duration.ofHours(1)));
      assertThat(songs.breaker()).isEqualTo(new BreakerSettings(50, 0.2, Duration.ofSeconds(3)));
    }
  }

  @Test
  @Timeout(60)
  void unconfiguredSettingsOfABackendStayAsTheApplicationSetThem() {
    BackendSettings own =
        BackendSettings.DEFAULTS
            .withFreshness(Freshness.timeToLive(Duration.ofMinutes(10)))
            .withBreaker(BreakerSettings.OFF.withOpenFor(Duration.ofSeconds(5)));
    try (FanoutCache cache =
        configured("backends: { songs: { time-out: 200ms }, sogns: { floor: 1MiB } }").open()) {
      assertThat(cache.add(spec("songs").with(own)).settings())
          .isEqualTo(own.withTimeOut(Duration.ofMillis(200)));
      assertThat(cache.unknownBackends()).containsExactly("sogns");
    }
  }

  /** All its settings may be comments, for example. */
  @Test
  @Timeout(60)
  void aBackendWithoutSettingsHasThoseOfTheApplication() {
    String text =
        """
        backends:
          songs:
          users: {}
          sogns:
        """;
    BackendSettings own = BackendSettings.DEFAULTS.withTimeOut(Duration.ofMillis(200));
    try (FanoutCache cache = configured(text).open()) {
      assertThat(cache.add(spec("songs").with(own)).settings()).isEqualTo(own);
      assertThat(cache.add(spec("users")).settings()).isEqualTo(BackendSettings.DEFAULTS);
      assertThat(cache.unknownBackends()).containsExactly("sogns");
    }
  }

  @Test
  @Timeout(60)
  void settingsThatContradictTheApplicationAreRefusedWithTheirLine() {
    BackendSettings own =
        BackendSettings.DEFAULTS.withFreshness(Freshness.timeToLive(Duration.ofMinutes(1)));
    try (FanoutCache cache = configured("backends: { songs: { refresh-after: 5min } }").open()) {
      assertThatThrownBy(() -> cache.add(spec("songs").with(own)))
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("cache.yaml:1")
          .hasMessageContaining("less than time-to-live");
      assertThat(cache.backendStats()).isEmpty();
    }
  }

  @ParameterizedTest
  @Timeout(60)
  @ValueSource(
      strings = {
        "capacity: 256MiB",
        "{ capacity: 256MiB, policy: cache.robinhood }",
        "{ capacity: 256MiB, policy: { policy: cache.robinhood } }",
        "{ capacity: 256MiB, policy: { policy: cache.robinhood, tax: 1%, gap: 30% } }",
        "{ policy: { policy: cache.paced }, capacity: 256MiB }"
      })
  void aPolicyWithDefaultsFitsTheCapacityHoweverItIsWritten(String text) {
    try (FanoutCache cache = configured(text).open()) {
      for (int i = 0; i < 30; i++) {
        cache.add(spec("b" + i));
      }
      assertThat(cache.settings().strategy().controller().floorBytes())
          .isEqualTo((256 << 20) / 200);
      assertThat(cache.settings().strategy().controller().pageBytes()).isEqualTo(256 << 10);
    }
  }

  @Test
  @Timeout(60)
  void aFloorThatIsGivenIsKeptOrRefused() {
    String text = "{ capacity: 256MiB, policy: { policy: cache.robinhood, floor: 30MiB } }";
    try (FanoutCache cache = configured(text).open()) {
      for (int i = 0; i < 8; i++) {
        cache.add(spec("b" + i));
      }
      assertThatThrownBy(() -> cache.add(spec("b8")))
          .hasMessageContaining("floors of 270MiB in all, in a cache of 256MiB");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          capacity: 3 | capacity = '3' is invalid
          capacity: 1KiB | 1MiB
          capactiy: 64MiB | unknown key
          policy: cache.clock | cache.robinhood
          policy: select.c3 | cache.robinhood
          policy: { policy: cache.robinhood, taxes: 1% } | unknown key
          policy: { policy: cache.robinhood, tax: 200% } | a share from
          policy: { policy: cache.robinhood, interval: 1ns } | policy.interval = '1ns' is invalid; allowed: a duration from 10ms to 1h
          store: redisse | one of
          store: { kind: lru, time-to-live: 5s } | unknown key
          request-time-out: 2h | request-time-out
          backend: { time-out: 1us } | a duration from 1ms
          record-every: 0 | from 1 to
          least-gain: 101% | a share from
          backend: { time-to-live: 1min, refresh-after: 1min } | less than time-to-live
          backend: { jitter: 95% } | a share from
          backend: { breaker: { open-for: 2h } } | a duration from
          backend: { breaker: { looks: 3 } } | unknown key
          backend: { floor: 3 } | a size from
          backend: { max-pending: 0 } | from 1 to 1000000
          backends: { songs: { timeout: 1s } } | backends.songs.timeout
          backends: { songs: 1s } | backends.songs = '1s' is invalid; allowed: a mapping
          """)
  void wrongSettingsAreRefusedWithTheAllowedValues(String text, String words) {
    assertThatThrownBy(() -> configured(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("cache.yaml:1")
        .hasMessageContaining(words);
  }

  @Test
  void oldValuesOfAllBackendsThatDoNotExpireAreRefusedWhereTheyStand() {
    try (FanoutCache cache = configured("backend: { stale-if-error: 1h }").open()) {
      assertThatThrownBy(() -> cache.add(spec("songs")))
          .isInstanceOf(ConfigException.class)
          .hasMessage(
              "cache.yaml:1: backend.stale-if-error = '1h' is invalid;"
                  + " allowed: 0 without a time-to-live");
      BackendSettings own =
          BackendSettings.DEFAULTS.withFreshness(
              Freshness.FOREVER.withStaleIfError(Duration.ofMinutes(1)));
      assertThatThrownBy(() -> cache.add(spec("users").with(own)))
          .as("not the file's")
          .isExactlyInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aFloorAboveTheCapacityIsRefusedWhereItStands() {
    FanoutCacheBuilder cache =
        configured("{ capacity: 64MiB, policy: { policy: cache.robinhood, floor: 1GiB } }");
    assertThatThrownBy(cache::open)
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "cache.yaml:1: policy.floor = '1GiB' is invalid; allowed: at most the capacity, 64MiB");
  }

  @Test
  @Timeout(60)
  void aCacheThatIsNotDividedHasNoUseForAFloor() {
    try (FanoutCache cache =
        configured("{ capacity: 64MiB, policy: { policy: cache.shared, floor: 1GiB } }").open()) {
      cache.add(spec("songs"));
      assertThat(cache.backendStats()).containsOnlyKeys("songs");
    }
  }

  @Test
  void oldValuesOfABackendWhoseValuesDoNotExpireAreRefusedWhereTheyStand() {
    try (FanoutCache cache =
        configured("backends: { songs: { stale-if-error: 1h }, users: {} }").open()) {
      assertThatThrownBy(() -> cache.add(spec("songs")))
          .isInstanceOf(ConfigException.class)
          .hasMessage(
              "cache.yaml:1: backends.songs.stale-if-error = '1h' is invalid;"
                  + " allowed: 0 without a time-to-live");
      assertThat(cache.backendStats()).isEmpty();
    }
  }

  @Test
  @Timeout(60)
  void oldValuesThatTheStoreDoesNotKeepAreRefusedWhereTheyStand() {
    String text =
        """
        store: { kind: caffeine, time-to-live: 10min }
        backends:
          songs: { time-to-live: 10min, stale-if-error: 1h }
          users: { time-to-live: 1min, stale-if-error: 9min }
        """;
    try (FanoutCache cache = configured(text).open()) {
      assertThatThrownBy(() -> cache.add(spec("songs")))
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("cache.yaml:3: backends.songs.stale-if-error = '1h' is invalid")
          .hasMessageContaining("time-to-live of the store (10min)");
      BackendSettings own =
          BackendSettings.DEFAULTS.withFreshness(
              Freshness.timeToLive(Duration.ofMinutes(10)).withStaleIfError(Duration.ofMinutes(1)));
      assertThatThrownBy(() -> cache.add(spec("others").with(own)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("backend others: stale-if-error = 1min is invalid")
          .hasMessageContaining("time-to-live of the store (10min)");
      assertThat(cache.add(spec("users")).name()).isEqualTo("users");
    }
  }

  @Test
  void codeIsHeldToTheSameRanges() {
    assertThatThrownBy(() -> FanoutCache.builder().capacity(5))
        .hasMessageContaining("1MiB to 1PiB");
    assertThatThrownBy(() -> FanoutCache.builder().requestTimeOut(Duration.ofDays(1)))
        .hasMessageContaining("0 to 1h");
    assertThatThrownBy(() -> BackendSettings.DEFAULTS.withTimeOut(Duration.ZERO))
        .hasMessageContaining("1ms to 1h");
    assertThatThrownBy(() -> BackendSettings.DEFAULTS.withMaxPending(0))
        .hasMessageContaining("max-pending");
    assertThatThrownBy(() -> BackendSettings.DEFAULTS.withAbsentEntries(0))
        .hasMessageContaining("absent-entries");
    assertThatThrownBy(() -> spec("a b")).hasMessageContaining("letters");
  }

  @Test
  void floorsThatDoNotFitAreRefusedAndLeaveNothingBehind() {
    try (FanoutCache cache =
        configured("{ capacity: 64MiB, policy: { policy: cache.robinhood, floor: 30MiB } }")
            .open()) {
      cache.add(spec("a"));
      cache.add(spec("b"));
      assertThatThrownBy(() -> cache.add(spec("c"))).hasMessageContaining("floor");
      assertThat(cache.backendStats()).containsOnlyKeys("a", "b");
      cache.tick();
      assertThat(cache.recent().backends()).containsExactly("a", "b");
    }
  }

  @Test
  void anUnpartitionedCacheIsOneStore() throws Exception {
    try (FanoutCache cache =
        configured("{ capacity: 4MiB, policy: cache.shared, store: lru }").open()) {
      Scripted a = new Scripted();
      Backend<Integer, String> backend =
          cache.add(BackendSpec.of("a", Sizers.of(Sizers::number, Sizers::text), a));
      cache.add(spec("b"));
      try (FanoutRequest request = cache.request()) {
        request.queryOne(backend, 1);
        a.last().answerAll();
        assertThat(request.queryOne(backend, 1)).isCompletedWithValue("v1");
      }
      cache.tick();
      assertThat(cache.recent().requests()).isEqualTo(1);
      assertThat(cache.backendStats().values())
          .allSatisfy(stats -> assertThat(stats.allocatedBytes()).isEqualTo(4 << 20));
    }
  }
}
