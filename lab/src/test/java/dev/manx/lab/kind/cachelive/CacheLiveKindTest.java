/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.cluster.ManxHome;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentRun;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.kind.cachelive.CacheLiveKind.At;
import dev.manx.lab.report.Report;
import dev.manx.policy.config.ConfigException;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small runs on real backends but Cassandra; what they find is not judged, only what they write.
 */
@Tag("engines")
@Execution(ExecutionMode.CONCURRENT)
class CacheLiveKindTest {
  static final String SMALL =
      """
      experiment: small
      on: cache-live
      cache: { capacity: 4MiB }
      backends:
        orders: { kind: sql, keys: 300, value: 8KiB, in: 50%, batch: 2 }
        pages: { kind: http, keys: 300, value: 8KiB, in: 60%, batch: 2, work: 200us, threads: 4 }
        similar: { kind: matrix, keys: 200, value: 4KiB, in: 30%, batch: 1, work: 100us }
        pictures: { kind: file, keys: 300, value: 8KiB, in: 40%, batch: 2, zipf: 0 }
      rate: 100/s
      request-time-out: 5s
      squeeze: { backend: pages, by: auto, cores: 0.2, from: 300ms, for: 900ms }
      settle: 200ms
      warm-up: 100ms
      window: 1500ms
      rounds: 2
      baseline: shared
      arms:
        shared: { cache: cache.shared }
        robinhood:
          description: moves
          cache: { policy: cache.robinhood, interval: 50ms, window: 500ms, stale-after: 1s, floor: 256KiB, page: 16KiB, goal: p90, half-band: 9% }
      """;

  @TempDir private Path folder;

  private Path run(String text, Map<String, String> settings)
      throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("small.yaml"), text);
    Path out = folder.resolve("out");
    new ExperimentRun<>(read(file, settings), "", new SilentProgress()).run(out);
    return out;
  }

  private Experiment<LiveArm, At> read(Path file, Map<String, String> settings) {
    return CacheLiveKind.read(
        ExperimentSource.of(file, new Choices(settings, List.of(), false)),
        ManxHome.find(),
        folder.resolve("work"));
  }

  @Test
  void writesEveryFileAndTheReportReadsThem() throws Exception {
    Path out = run(SMALL, Map.of());
    List<SummaryRow> rows = RowReader.read(out, SummaryRow.FORMAT);
    for (String arm : List.of("shared", "robinhood")) {
      List<SummaryRow> own = rows.stream().filter(row -> row.key().arm().equals(arm)).toList();
      assertThat(own).as("two rounds, their pool, and the arm's result").hasSize(4);
      SummaryRow all =
          own.stream().filter(row -> row.key().seed().equals(RowKey.ALL)).findFirst().orElseThrow();
      assertThat(all.count()).isBetween(150L, 500L);
      assertThat(all.wrong()).as("every value belongs to its key").isZero();
      assertThat(all.p99Us()).isPositive();
    }
    List<MetricRow> metrics = RowReader.read(out, MetricRow.FORMAT);
    assertThat(metrics)
        .extracting(MetricRow::metric)
        .contains(
            "p99_ms_calm",
            "p99_ms_squeezed",
            "slo_violation_pct",
            "hit_pct_pages",
            "blocked_pct_pages",
            "share_mib_end_pages");
    List<TimelineRow> timeline = RowReader.read(out, TimelineRow.FORMAT);
    assertThat(timeline)
        .extracting(TimelineRow::metric)
        .contains("p99_ms", "share_mib", "blocked_per_s", "misses_per_s", "squeezed");
    assertThat(shares(timeline)).allSatisfy(sum -> assertThat(sum).isBetween(3.9, 4.003));
    assertThat(Environment.read(out).settings())
        .containsKeys("backend orders", "backend pages", "squeeze", "store");
    assertThat(Report.of(out).text()).contains("robinhood");
    assertThat(Files.size(Report.of(out).write())).isPositive();
    try (Stream<Path> left = Files.list(folder.resolve("work"))) {
      assertThat(left).as("nothing is left behind").isEmpty();
    }
    Experiment<LiveArm, At> again = read(out.resolve("experiment.yaml"), Map.of());
    Experiment<LiveArm, At> first = read(folder.resolve("small.yaml"), Map.of());
    assertThat(again.points().get(0).settings())
        .as("experiment.yaml is the experiment")
        .isEqualTo(first.points().get(0).settings());
    assertThat(again.text()).isEqualTo(first.text());
  }

  /** MiB of all shares, each rounded, at each look; a move may be between its halves. */
  private static List<Double> shares(List<TimelineRow> timeline) {
    return timeline.stream()
        .filter(row -> row.metric().equals("share_mib"))
        .collect(
            java.util.stream.Collectors.groupingBy(
                row -> row.round() + "@" + row.seconds(),
                java.util.stream.Collectors.summingDouble(TimelineRow::value)))
        .values()
        .stream()
        .toList();
  }

  /** Each load and each seed is measured on its own, all on the same backends. */
  @Test
  void loadsAndSeedsMayBeSeveral() throws Exception {
    Path file = Files.writeString(folder.resolve("small.yaml"), SMALL);
    Experiment<LiveArm, At> several =
        read(file, Map.of("loads", "[50/s, 100/s]", "seeds", "[1, 2]"));
    assertThat(several.loads()).containsExactly("50/s", "100/s");
    assertThat(several.turns()).hasSize(2 * 2 * 2 * 2);
    assertThat(several.text()).contains("loads: [50/s, 100/s]").doesNotContain("\nrate:");
  }

  @Test
  void squeezesByItsOwnGateWhereNoCgroupMay() throws Exception {
    Path out = run(SMALL, Map.of("squeeze.by", "limit", "rounds", "1", "cache.capacity", "5MiB"));
    assertThat(Environment.read(out).settings().get("squeeze")).contains("its own gate");
    List<TimelineRow> timeline = RowReader.read(out, TimelineRow.FORMAT);
    assertThat(timeline)
        .filteredOn(row -> row.metric().equals("squeezed"))
        .extracting(TimelineRow::value)
        .contains(0.0, 1.0);
  }

  /** A page has a fallback for what fails; every other value is checked as ever. */
  @Test
  void backendsMayBeLateErrAndHaveOtherHotKeys() throws Exception {
    String faults =
        SMALL
            .replaceAll(
                "squeeze: .*",
                """
                late: { backend: similar, by: 30ms, from: 200ms, for: 500ms }
                errors: { backend: pictures, part: 60%, from: 800ms, for: 500ms }
                shift: { backend: orders, part: 50%, every: 200ms, from: 300ms, for: 1s }
                """)
            .replace(
                "arms:\n",
                """
                arms:
                  static:
                    cache: { policy: cache.static, learn: 0s, interval: 50ms, window: 500ms, stale-after: 1s, floor: 256KiB, page: 16KiB }
                    shares: { orders: 1MiB, pages: 2MiB, similar: 512KiB, pictures: 512KiB }
                """);
    Path out = run(faults, Map.of("rounds", "1"));
    List<SummaryRow> rows = RowReader.read(out, SummaryRow.FORMAT);
    assertThat(rows).isNotEmpty().allMatch(row -> row.wrong() == 0);
    List<MetricRow> metrics = RowReader.read(out, MetricRow.FORMAT);
    assertThat(metrics)
        .extracting(MetricRow::metric)
        .contains("p99_ms_calm", "p99_ms_late", "p99_ms_erring", "p99_ms_shifted")
        .doesNotContain("p99_ms_squeezed");
    assertThat(metrics)
        .filteredOn(row -> row.key().arm().equals("static"))
        .filteredOn(row -> row.metric().equals("share_mib_end_pages"))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row.value()).isEqualTo(2));
    assertThat(RowReader.read(out, TimelineRow.FORMAT))
        .extracting(TimelineRow::metric)
        .contains("late", "erring", "shifted");
    Experiment<LiveArm, At> again = read(out.resolve("experiment.yaml"), Map.of());
    Experiment<LiveArm, At> first = read(folder.resolve("small.yaml"), Map.of("rounds", "1"));
    assertThat(again.points().get(0).settings()).isEqualTo(first.points().get(0).settings());
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
          seeds                   | [1, 1]        | each once
          loads                   | [70%]         | rate
          requests                | 9             | as many as take
          sweep                   | { rate: [1/s] } | no sweep
          """)
  void refusesInvalidSettings(String key, String value, String said) throws Exception {
    Path file = Files.writeString(folder.resolve("small.yaml"), SMALL);
    assertThatThrownBy(() -> read(file, Map.of(key, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(said);
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
        (example.rounds() * (example.warmUpNanos() + example.windowNanos()) + example.settleNanos())
            * (double) design.head().arms().size()
            / 1e9;
    // with starting, loading and stopping under six minutes
    assertThat(seconds).isLessThan(310);
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

  /** Its lines end with a backslash, but for the last. */
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
        (example.rounds() * (example.warmUpNanos() + example.windowNanos()) + example.settleNanos())
            * (double) design.head().arms().size()
            / 1e9;
    assertThat(seconds).isLessThan(500);
  }
}
