/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static dev.manx.lab.kind.cachelive.SmallCacheLive.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.kind.cachelive.CacheLiveKind.At;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of experiments of this kind, and those of the examples. */
class CacheLiveSettingsTest {
  @TempDir private Path folder;

  private Experiment<LiveArm, At> read(Path file, Map<String, String> settings) {
    return SmallCacheLive.read(folder, file, settings);
  }

  /** Each load and each seed is measured separately, all on shared backends. */
  @Test
  void loadsAndSeedsMayBeSeveral() throws Exception {
    Path file = Files.writeString(folder.resolve("small.yaml"), SMALL);
    Experiment<LiveArm, At> several =
        read(file, Map.of("loads", "[50/s, 100/s]", "seeds", "[1, 2]"));
    assertThat(several.loads()).containsExactly("50/s", "100/s");
    assertThat(several.turns()).hasSize(2 * 2 * 2 * 2);
    assertThat(several.text()).contains("loads: [50/s, 100/s]").doesNotContain("\nrate:");
  }

  /** The report reads it, and who runs the experiment again. */
  @Test
  void theResolvedFileCanBeReadWhateverWasTakenAway() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("small.yaml"),
            SMALL + "bounds: [{ arm: robinhood, over: shared, p99: 1.05 }]\n");
    assertThat(read(file, Map.of()).text()).contains("bounds: [{arm: robinhood");
    Experiment<LiveArm, At> less =
        SmallCacheLive.read(
            folder, file, new Choices(Map.of("squeeze", "null"), List.of("shared"), false));
    Path resolved = Files.writeString(folder.resolve("resolved.yaml"), less.text());
    assertThat(read(resolved, Map.of()).text()).isEqualTo(less.text());
    assertThat(less.text()).doesNotContain("bounds").doesNotContain("squeeze");
  }

  /** 0.4/s was called 0/s, and 60.4/s had the name and so the rows of 60/s. */
  @Test
  void loadsAreNamedAsTheyAre() throws Exception {
    Path file = Files.writeString(folder.resolve("small.yaml"), SMALL);
    assertThat(read(file, Map.of("loads", "[0.4/s, 60/s, 60.4/s, 2k/s]")).loads())
        .containsExactly("0.4/s", "60/s", "60.4/s", "2000/s");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          on                      | cluster       | cache-live
          cache.store             | disk          | caffeine
          cache.capacity          | 1KiB          | 4MiB
          rate                    | none          | rate
          window                  | 100ms         | 1s
          rounds                  | 0             | 1
          backends.pages.kind     | ftp           | cassandra
          backends.pages.work     | 0             | work
          backends.orders.work    | 1ms           | work
          backends.orders.in      | 150%          | in
          squeeze.backend         | orders        | pages
          squeeze.by              | prayer        | cgroup
          squeeze.for             | 1h            | within
          squeeze.depth           | 3             | depth
          arms.shared.cache       | cache.none    | cache.shared
          arms.shared.bogus       | 1             | bogus
          arms.shared.shares      | { pages: 4MiB } | cache.static
          arms.shared.least-gain  | 200%          | least-gain
          late                    | { backend: radio, by: 1ms, from: 0s, for: 1s } | pages
          late                    | { backend: pages, by: 1ms, from: 0s, for: 9s } | within
          errors                  | { backend: pages, part: 0, from: 0s, for: 1s } | part
          shift                   | { backend: pictures, part: 50%, from: 0s, for: 1s } | pages
          shift                   | { backend: pages, part: 0.1%, from: 0s, for: 1s } | at least one of 300 keys
          shift                   | { backend: pages, part: 0.999, from: 0s, for: 1s } | and not all
          backends                | { ..: { kind: file, keys: 9, value: 1KiB, in: 1, batch: 1 } } | names of backends
          seeds                   | [1, 1]        | each once
          loads                   | [70%]         | rate
          loads                   | [60/s, 60/s]  | each load once
          requests                | 900           | not both
          sweep                   | { rate: [1/s] } | no sweep
          """)
  void refusesInvalidSettings(String key, String value, String said) throws Exception {
    Path file = Files.writeString(folder.resolve("small.yaml"), SMALL);
    assertThatThrownBy(() -> read(file, Map.of(key, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(said);
  }

  @Test
  void requestsMustTakeASecondToAnHour() throws Exception {
    Path file = Files.writeString(folder.resolve("small.yaml"), SMALL);
    for (String requests : List.of("99", "360001")) {
      assertThatThrownBy(() -> read(file, Map.of("window", "null", "requests", requests)))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("requests = '" + requests + "'")
          .hasMessageContaining("as many as take 1 s to 1 h at 100/s");
    }
    assertThatThrownBy(() -> read(file, Map.of("window", "null")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("a duration, or requests: a number");
  }

  @Test
  void shadowHitsAreRefusedOnARemoteStoreBeforeAnythingStarts() throws Exception {
    Path file = Files.writeString(folder.resolve("small.yaml"), SMALL);
    Map<String, String> shadow = Map.of("arms.shared.cache", "cache.cliffhanger");
    assertThat(read(file, shadow).head().arms()).hasSize(2);
    Map<String, String> remote =
        Map.of("arms.shared.cache", "cache.cliffhanger", "cache.store", "redis");
    assertThatThrownBy(() -> read(file, remote))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("arms.shared.cache")
        .hasMessageContaining("signal: miss-curve");
  }

  @ParameterizedTest
  @ValueSource(strings = {"memcached", "redis"})
  void sharesThatTheStoreCannotHaveAreRefusedBeforeAnythingStarts(String store) {
    Path file = example("squeezed");
    assertThatThrownBy(() -> read(file, Map.of("cache.store", store)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("arms.static.shares")
        .hasMessageContaining("8MiB");
    Map<String, String> small = Map.of("cache.store", store, "cache.capacity", "39MiB");
    assertThatThrownBy(() -> read(file, small))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cache.capacity");
  }

  @Test
  void theExampleIsWhatTheDocumentationSays() {
    Path file = ManxHome.find().root().resolve("examples/cache-live.yaml");
    Experiment<LiveArm, At> design = read(file, Map.of());
    LiveSettings example = design.points().get(0).settings().settings();
    assertThat(example.backends()).extracting(LiveSettings.BackendPlan::kind).hasSize(5);
    assertThat(example.backends().stream().map(LiveSettings.BackendPlan::kind).distinct())
        .hasSize(5);
    assertThat(example.rounds()).isGreaterThanOrEqualTo(8);
    double seconds =
        (example.rounds() * (example.warmUpNanos() + example.window().nanos())
                + example.settleNanos())
            * (double) design.head().arms().size()
            / 1e9;
    // with starting, loading and stopping under six minutes
    assertThat(seconds).isLessThan(310);
  }

  /** Only the rounds were fewer: the rest of the file still took its minutes. */
  @ParameterizedTest
  @ValueSource(strings = {"squeezed", "late", "errors", "shift"})
  void aQuickRunIsShortAsAWhole(String name) throws Exception {
    Choices quick = new Choices(Map.of(), List.of(), true);
    Experiment<LiveArm, At> design = SmallCacheLive.read(folder, example(name), quick);
    LiveSettings settings = design.points().get(0).settings().settings();
    assertThat(settings.rounds()).isEqualTo(2);
    assertThat(settings.window().nanos()).isEqualTo(3_000_000_000L);
    assertThat(settings.settleNanos()).isEqualTo(3_000_000_000L);
    assertThat(settings.warmUpNanos()).isEqualTo(500_000_000L);
    assertThat(settings.phases())
        .isNotEmpty()
        .allSatisfy(
            phase -> {
              assertThat(phase.fromNanos()).isEqualTo(750_000_000L);
              assertThat(phase.forNanos()).isEqualTo(1_875_000_000L);
            });
    settings
        .faults()
        .shift()
        .ifPresent(shift -> assertThat(shift.everyNanos()).isEqualTo(375_000_000L));
    Path resolved = Files.writeString(folder.resolve("resolved.yaml"), design.text());
    Experiment<LiveArm, At> again = read(resolved, Map.of());
    assertThat(again.points().get(0).settings().settings()).isEqualTo(settings);
    assertThat(again.text()).isEqualTo(design.text());
  }

  /** It was overridden without a word. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "window | 20s | 20 | 2 | 3",
        "late.from | 1s | 8 | 1 | 3",
        "settle | 7s | 3 | 0.75 | 7",
        "late.by | 9ms | 3 | 0.75 | 3",
      })
  void aQuickRunKeepsWhatIsGiven(
      String key, String value, double window, double from, double settle) {
    Choices quick = new Choices(Map.of(key, value), List.of(), true);
    LiveSettings settings =
        SmallCacheLive.read(folder, example("late"), quick).points().get(0).settings().settings();
    assertThat(settings.window().nanos() / 1e9).isEqualTo(window);
    assertThat(settings.phases())
        .isNotEmpty()
        .allSatisfy(phase -> assertThat(phase.fromNanos() / 1e9).isEqualTo(from));
    assertThat(settings.settleNanos() / 1e9).isEqualTo(settle);
    assertThat(settings.rounds()).isEqualTo(2);
  }

  /** Without a disturbance no time of one is given. */
  @Test
  void aQuickRunWithoutItsDisturbanceIsShort() {
    Choices quick = new Choices(Map.of("late", "null"), List.of(), true);
    LiveSettings settings =
        SmallCacheLive.read(folder, example("late"), quick).points().get(0).settings().settings();
    assertThat(settings.window().nanos()).isEqualTo(3_000_000_000L);
  }

  /** A window of 1 s is the shortest. */
  @Test
  void aQuickRunHasFewerRequests() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("small.yaml"), SMALL.replace("window: 1500ms", "requests: 1000"));
    Choices quick = new Choices(Map.of("loads", "[50/s, 200/s]"), List.of(), true);
    LiveSettings settings =
        SmallCacheLive.read(folder, file, quick).points().get(0).settings().settings();
    assertThat(settings.window().requests()).isEqualTo(200);
    Choices chosen =
        new Choices(
            Map.of("loads", "[50/s, 200/s]", "requests", "600", "window", "null"),
            Set.of("requests"),
            List.of(),
            true);
    assertThat(
            SmallCacheLive.read(folder, file, chosen)
                .points()
                .get(0)
                .settings()
                .settings()
                .window()
                .requests())
        .as("chosen on the command line")
        .isEqualTo(600);
  }

  private static Path example(String name) {
    return ManxHome.find().root().resolve("examples/cache-live-" + name + ".yaml");
  }

  /** The settings of the command in docs/measure/cache-live.md for another store. */
  private static Map<String, String> documented(String store) throws IOException {
    String page = Files.readString(ManxHome.find().root().resolve("docs/measure/cache-live.md"));
    Map<String, String> settings = new HashMap<>();
    Matcher set = Pattern.compile("--set (\\S+?)=(\\S+)").matcher(command(page, store));
    while (set.find()) {
      settings.put(set.group(1), set.group(2));
    }
    assertThat(settings).containsEntry("cache.store", store);
    return settings;
  }

  /** Its lines end with a backslash, except the last. */
  private static String command(String page, String store) {
    int end = page.indexOf("--set cache.store=" + store);
    int start = page.lastIndexOf("\n    ./manx run", end);
    assertThat(start).isNotNegative();
    return page.substring(start, page.indexOf("\n\n", end));
  }

  @ParameterizedTest
  @ValueSource(strings = {"squeezed", "uncacheable", "late", "errors", "shift"})
  void theExamplesOfHarmRunOnOtherStoresAsDocumented(String name) throws Exception {
    runsOn("redis", name);
    runsOn("memcached", name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "memcached"})
  void theExampleOfOtherStoresHasTheDocumentedSizes(String store) throws Exception {
    LiveSettings there = settings("remote", Map.of("cache.store", store));
    LiveSettings heap = settings("uncacheable", documented(store));
    assertThat(there.server()).isEqualTo(heap.server()).isPresent();
    assertThat(there.capacityBytes()).isEqualTo(heap.capacityBytes());
    assertThat(there.backends()).isEqualTo(heap.backends());
    assertThat(there.phases()).isEqualTo(heap.phases());
  }

  private LiveSettings settings(String name, Map<String, String> set) {
    return read(example(name), set).points().get(0).settings().settings();
  }

  private void runsOn(String store, String name) throws IOException {
    Experiment<LiveArm, At> design = read(example(name), documented(store));
    LiveSettings settings = design.points().get(0).settings().settings();
    assertThat(settings.server().map(Enum::name)).contains(store.toUpperCase(Locale.ROOT));
    assertThat(design.head().arms())
        .containsExactly("shared", "static", "robinhood", "paced", "guarded");
    long cacheable =
        settings.backends().stream()
            .filter(backend -> backend.zipf() > 0.5)
            .mapToLong(backend -> (long) backend.keys() * backend.valueBytes())
            .sum();
    assertThat(settings.capacityBytes()).as("they contend for it").isLessThan(cacheable / 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"squeezed", "uncacheable", "late", "errors", "shift"})
  void theExamplesOfHarmTakeEightRoundsAndTenMinutes(String name) {
    Experiment<LiveArm, At> design = read(example(name), Map.of());
    LiveSettings example = design.points().get(0).settings().settings();
    assertThat(design.head().arms())
        .containsExactly("shared", "static", "robinhood", "paced", "guarded");
    assertThat(example.phases()).isNotEmpty();
    assertThat(example.rounds()).isGreaterThanOrEqualTo(8);
    double seconds =
        (example.rounds() * (example.warmUpNanos() + example.window().nanos())
                + example.settleNanos())
            * (double) design.head().arms().size()
            / 1e9;
    assertThat(seconds).isLessThan(500);
  }
}
