/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentRun;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.kind.cache.CacheKind.At;
import dev.manx.lab.report.Report;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.shares.CacheStrategy;
import dev.manx.simulator.cache.Scenario;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class CacheKindTest {
  private static final String SMALL =
      """
      experiment: small
      on: cache
      baseline: robinhood
      model: { workload: onerf-like, servers: 2, requests: 100/s }
      scale: 0.01
      scenarios:
        spike: { kind: spikes, rho-peak: 88%, warm-up: 10min, measured: 40min }
        walk: { kind: random, rho-peak: 100%, warm-up: 10min, measured: 20min }
      goals: { p99: 150ms, p50: 20ms }
      seeds: [1, 2]
      timeline: 5min
      arms:
        robinhood: { cache: cache.robinhood }
        shared: { cache: cache.shared }
        static: { cache: { policy: cache.static, learn: 0s } }
      """;

  private static final class Said implements Progress {
    private final List<String> steps = new ArrayList<>();

    @Override
    public synchronized void step(String text) {
      steps.add(text);
    }

    @Override
    public void now(String text) {}
  }

  @TempDir private static Path shared;
  private static final Said SAID = new Said();
  private static Path small;

  @TempDir private Path folder;

  /** The result of the small experiment, run once. */
  private static synchronized Path small() throws IOException, InterruptedException {
    if (small == null) {
      small = run(shared, "small", SMALL, SAID);
    }
    return small;
  }

  private Path run(String name, String text) throws IOException, InterruptedException {
    return run(folder, name, text, new SilentProgress());
  }

  private static Path run(Path folder, String name, String text, Progress progress)
      throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve(name + ".yaml"), text);
    Path out = folder.resolve(name);
    new ExperimentRun<>(read(file, Choices.none()), "", progress).run(out);
    return out;
  }

  private static Experiment<CacheStrategy, At> read(Path file, Choices choices) {
    return CacheKind.read(ExperimentSource.of(file, choices));
  }

  private static void sameFiles(Path one, Path two) throws IOException {
    try (Stream<Path> files = Files.list(one)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (!name.equals("environment.json") && !name.startsWith("report.")) {
          assertThat(two.resolve(name)).hasSameBinaryContentAs(file);
        }
      }
    }
  }

  /**
   * Also the same resolved file, so it is the same experiment, and a second run is like the first.
   */
  @Test
  void theResolvedFileGivesTheSameResults() throws Exception {
    sameFiles(small(), run("again", Files.readString(small().resolve("experiment.yaml"))));
  }

  @Test
  void theResultHasWhatPeopleAskFor() throws Exception {
    Path out = small();
    List<MetricRow> rows = RowReader.read(out, MetricRow.FORMAT);
    for (String arm : List.of("robinhood", "shared", "static")) {
      for (String load : List.of("spike", "walk")) {
        assertThat(
                rows.stream()
                    .filter(row -> row.key().arm().equals(arm) && row.key().load().equals(load))
                    .filter(row -> row.key().seed().equals("all"))
                    .map(row -> row.metric() + " " + row.params()))
            .contains(
                "slo_violation_pct goal=p99;slo_ms=150",
                "slo_violation_pct goal=p50;slo_ms=20",
                "hit_ratio_pct backend=b1",
                "backend_load_per_s backend=b6",
                "static_space_pct ",
                "dominant_rbc_pct over=max");
      }
    }
    assertThat(rows)
        .anyMatch(
            row ->
                row.metric().equals("backend_load_vs_shared")
                    && row.key().arm().equals("robinhood")
                    && row.value() > 0);
    assertThat(rows.stream().filter(row -> row.metric().equals("mark")))
        .as("spikes are known beforehand, a walk is not")
        .hasSize(6)
        .allMatch(row -> row.key().load().equals("spike"))
        .anyMatch(row -> row.params().equals("from=1200;to=4200;label=b6 slow"));
    List<TimelineRow> timeline = RowReader.read(out, TimelineRow.FORMAT);
    assertThat(timeline).allMatch(row -> row.seed().equals("1"));
    assertThat(timeline.stream().map(row -> row.entity() + " " + row.metric()))
        .contains("requests@spike p99_ms", "b6@spike share_mib", "b1@walk blocking_pct");
    assertThat(SAID.steps)
        .anyMatch(line -> line.startsWith("hit ratio of b1 under shared"))
        .noneMatch(line -> line.contains("CHECK FAILED"));
    assertThat(Report.of(out).text()).contains("robinhood");
    assertThat(Report.of(out).write()).exists();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "model.servers | 0 | a whole number from 1",
        "model.colour | red | unknown key",
        "model.workload | tpc | one of onerf-like",
        "model.workload | { backends: { db: { in: 0, keys: 10 } } } | at least one backend with in above 0",
        "rounds | 5 | unknown key",
        "scale | 2 | a number from",
        "scenarios.spike.kind | flood | one of spikes, ramp, random",
        "scenarios.spike.rho-peak | 10% | at least the utilisation",
        "scenarios.walk.backends | [b99] | backends of the workload",
        "scenarios.walk | { kind: faults, faults: [{ backend: b1, minutes: [1, 2], delay: 1ms }, { backend:"
            + " b1, minutes: [5, 6], delay: 1ms }] } | one fault of each backend",
        "scenarios.walk | { kind: faults, faults: [{ backend: b1, minutes: [1, 2] }] } | has no effect",
        "scenarios.walk | { kind: faults, measured: 10min, faults: [{ backend: b1, minutes: [10, 12], delay:"
            + " 1ms }] } | within the measured 600s",
        "scenarios.walk | { kind: spikes, measured: 10min, spikes: [{ backend: b1, minutes: [20, 21, 22,"
            + " 23] }] } | within the measured 600s",
        "scenarios.walk | { kind: new-server, measured: 10min, at: 10min } | within the measured 600s",
        "bounds | [{ arm: shared, over: robinhood, p99: 1, class: wide }] | one of all",
        "goals.fast | 5ms | percentiles such as",
        "loads | [nope] | one of spike, walk",
        "loads | [walk, walk] | each load once",
        "arms.shared.cache | cache.nope | one of cache.shared",
        "arms.static.cache.tax | 90% | a share from",
        "arms.static.cache.taxes | 1% | unknown key",
        "arms.static.cache.floor | 2GiB | a floor of at most 1.6GiB",
      })
  void refusesWhatItCannotPlay(String key, String value, String words) throws IOException {
    Path file = Files.writeString(folder.resolve("bad.yaml"), SMALL);
    Choices choices = new Choices(Map.of(key, value), List.of(), false);
    assertThatThrownBy(() -> read(file, choices))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words);
  }

  /** 400 ms were written as 0 s, which is no timeline. */
  @Test
  void theResolvedFileHasTheTimelineThatWasDrawn() throws Exception {
    Path file = Files.writeString(folder.resolve("one.yaml"), SMALL);
    Experiment<CacheStrategy, At> one =
        read(file, new Choices(Map.of("timeline", "400ms"), List.of(), false));
    assertThat(one.text()).contains("timeline: 400ms");
    assertThat(read(file, Choices.none()).text()).contains("timeline: 300s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"robinhood-spikes", "robinhood-ramps", "robinhood-random"})
  void examplesAreAccepted(String name) {
    Path file = Path.of(System.getProperty("manx.home"), "examples", name + ".yaml");
    Experiment<CacheStrategy, At> experiment = read(file, Choices.none());
    assertThat(experiment.head().arms())
        .contains("robinhood", "shared", "static", "cliffhanger", "fair", "lama");
    Experiment<CacheStrategy, At> quick = read(file, new Choices(Map.of(), List.of("lama"), true));
    assertThat(quick.head().seeds()).hasSize(1);
    assertThat(quick.head().arms()).containsExactly("lama");
    assertThat(quick.text()).contains("scale: 0.02");
    Choices larger = new Choices(Map.of("scale", "0.03"), List.of(), true);
    assertThat(read(file, larger).text()).contains("scale: 0.03");
  }

  @Test
  void aNewServersWayToTheOthersIsMeasured() throws Exception {
    String starts =
        SMALL
            .replaceFirst("(?m)^  walk: .*\n", "")
            .replace("seeds: [1, 2]", "seeds: [1]")
            .replaceFirst(
                "(?m)^  spike: .*$",
                "  restart: { kind: new-server, warm-up: 30min, measured: 40min, at: 5min }");
    Path out = run("restart", starts);
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.key().arm().equals("robinhood"))
        .extracting(row -> row.metric() + " " + row.params())
        .contains(
            "new_server_distance_pct minute=0",
            "new_server_distance_pct minute=30",
            "new_server_left_pct minute=30",
            "other_servers_distance_pct ");
    assertThat(RowReader.read(out, TimelineRow.FORMAT))
        .filteredOn(row -> row.metric().equals("distance_pct"))
        .extracting(TimelineRow::entity)
        .contains("new server", "other servers");
    Choices alone = new Choices(Map.of("model.servers", "1"), List.of(), false);
    assertThatThrownBy(() -> read(folder.resolve("restart.yaml"), alone))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("model.servers of at least 2");
  }

  @Test
  void theExampleOfANewServerHasTheClaimsTimes() {
    Path file = Path.of(System.getProperty("manx.home"), "examples", "robinhood-new-server.yaml");
    Experiment<CacheStrategy, At> experiment = read(file, Choices.none());
    assertThat(experiment.head().arms()).containsExactly("robinhood", "manx");
    assertThat(experiment.points().get(0).settings().scenario().of().apply(1).newServerSeconds())
        .hasValue(600);
  }

  @Test
  void aSweepStandsInTheMetrics() throws Exception {
    String one = SMALL.replaceFirst("(?s)  walk:.*?\n", "").replace("seeds: [1, 2]", "seeds: [1]");
    Path out = run("swept", one + "sweep: { model.requests: [60/s, 120/s] }\n");
    assertThat(Environment.read(out).settings())
        .containsKeys(
            "hit ratio of b1 under shared, spike",
            "hit ratio of b1 under shared, spike, model.requests=60/s",
            "hit ratio of b1 under shared, spike, model.requests=120/s");
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.metric().equals("latency_p99_us") && row.key().seed().equals("all"))
        .extracting(row -> row.key().arm() + " " + row.params())
        .containsExactlyInAnyOrder(
            "robinhood model.requests=60/s",
            "robinhood model.requests=120/s",
            "shared model.requests=60/s",
            "shared model.requests=120/s",
            "static model.requests=60/s",
            "static model.requests=120/s");
  }

  /** The public trace: 5,000 requests of 3 queries, 2 backends of 10 objects. */
  @Test
  void thePublicTraceIsRead() throws Exception {
    Path trace = Path.of(getClass().getResource("example-trace-5000.jsonl.gz").toURI());
    ConfigNode node = ConfigNode.parse("t", "trace: x").at("trace");
    TraceReader.Read read = TraceReader.read(trace, node);
    assertThat(read.requests()).isEqualTo(5_000);
    assertThat(read.backends()).containsExactly("39f00c48", "b4fbebd8");
    assertThat(read.queries()).containsExactly(10_000, 5_000);
    assertThat(read.trace().objects(0)).isEqualTo(10);
    assertThat(read.trace().bytes(0, 0)).isEqualTo(20_881);
    Said said = new Said();
    Path out =
        run(
            folder,
            "trace",
            """
            experiment: trace
            on: cache
            model:
              workload: { trace: "%s" }
              cache: 2MiB
              requests: 50/s
            scale: 1
            scenarios: { calm: { kind: none, warm-up: 10s, measured: 60s } }
            arms: { shared: { cache: { policy: cache.shared, floor: 0B } } }
            """
                .formatted(trace),
            said);
    assertThat(said.steps)
        .contains(
            "the timeline has a point every 120s, less than two in scenario calm; --set timeline=5s"
                + " changes that");
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .anyMatch(
            row ->
                row.metric().equals("hit_ratio_pct")
                    && row.params().equals("backend=39f00c48")
                    && row.value() > 99);
    assertThat(Environment.read(out).settings())
        .containsEntry("trace", "5000 requests, 15000 queries to 2 backends")
        .containsEntry(
            "trace in calm", "played 0.70 times: 3500 requests in warm-up and measured time");
  }

  /** A cache of a tenth for objects of full size would be another experiment. */
  @Test
  void aTraceIsPlayedAtFullSizeOnly() throws Exception {
    Path trace = Path.of(getClass().getResource("example-trace-5000.jsonl.gz").toURI());
    Path file =
        Files.writeString(
            folder.resolve("trace.yaml"),
            """
            experiment: trace
            on: cache
            model: { workload: { trace: "%s" }, cache: 2MiB }
            scenarios: { calm: { kind: none, warm-up: 10s, measured: 60s } }
            arms: { shared: { cache: { policy: cache.shared, floor: 0B } } }
            """
                .formatted(trace));
    for (boolean quick : new boolean[] {false, true}) {
      Experiment<CacheStrategy, At> whole = read(file, new Choices(Map.of(), List.of(), quick));
      assertThat(whole.points().get(0).settings().settings().scale()).isEqualTo(1);
      assertThat(whole.text()).contains("scale: 1");
    }
    Choices tenth = new Choices(Map.of("scale", "0.1"), List.of(), false);
    assertThatThrownBy(() -> read(file, tenth))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("scale")
        .hasMessageContaining("1 with a trace");
    assertThat(
            read(
                    Files.writeString(
                        folder.resolve("drawn.yaml"), SMALL.replace("scale: 0.01\n", "")),
                    Choices.none())
                .text())
        .contains("scale: 0.1");
  }

  /**
   * Backend 8 has one worker, which its misses use for a twentieth of the time. Its peak is a
   * little below 88 %, because queries for a key that is being fetched add no load.
   */
  @Test
  void aSpikeBringsASmallBackendToItsPeak() throws Exception {
    Path out =
        run(
            "squeezed",
            """
            experiment: squeezed
            on: cache
            model: { workload: onerf-like }
            scale: 0.1
            scenarios:
              spike:
                kind: spikes
                rho-peak: 88%
                measured: 1h
                spikes: [{ backend: b8, minutes: [0, 0, 60, 60] }]
            seeds: [1]
            arms: { shared: { cache: cache.shared } }
            """);
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.metric().equals("backend_busy_pct"))
        .filteredOn(row -> row.params().equals("backend=b8"))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row.value()).isBetween(75.0, 95.0));
  }

  private List<MetricRow> use(Path out, String backend) throws IOException {
    List<MetricRow> rows =
        RowReader.read(out, MetricRow.FORMAT).stream()
            .filter(row -> row.metric().equals("backend_busy_pct"))
            .filter(row -> row.params().equals("backend=" + backend))
            .toList();
    assertThat(rows).isNotEmpty();
    return rows;
  }

  /** Its misses were twice the real ones, so that no spike reached its rho-peak. */
  @Test
  void theExampleOfNoHarmIsBuiltForItsMisses() throws Exception {
    Path file = Path.of(System.getProperty("manx.home"), "examples", "cache-no-harm.yaml");
    Map<String, String> calm = Map.of("loads", "[calm]", "seeds", "[1]");
    Path out = folder.resolve("no-harm");
    new ExperimentRun<>(
            read(file, new Choices(calm, List.of("shared"), false)), "", new SilentProgress())
        .run(out);
    // Users and prices have one worker, which they use less.
    for (String backend : List.of("songs", "reviews", "pictures", "similar", "feed")) {
      assertThat(use(out, backend))
          .allSatisfy(row -> assertThat(row.value()).isBetween(36.0, 44.0));
    }
    assertThat(Environment.read(out).settings().keySet())
        .noneMatch(key -> key.startsWith("use of"));
  }

  @Test
  void missesThatAreNotThoseOfTheSharedCacheAreReported() throws Exception {
    Path out =
        run(
            "wrong",
            """
            experiment: wrong
            on: cache
            model:
              workload:
                backends:
                  right: { keys: 100000, zipf: 0, misses: 100%, service: 5ms }
                  wrong: { keys: 100000, zipf: 0, misses: 50%, service: 5ms }
                  alone: { in: 1%, keys: 100000, zipf: 0, misses: 50%, service: 5ms }
              cache: 1MiB
              requests: 400/s
            scale: 1
            scenarios:
              calm: { kind: none, warm-up: 10s, measured: 60s }
              late: { kind: faults, warm-up: 10s, measured: 60s, faults: [{ backend: right, minutes: [0, 1], delay: 1s }] }
            arms: { shared: { cache: cache.shared } }
            """);
    Map<String, String> said = Environment.read(out).settings();
    assertThat(said.keySet())
        .filteredOn(key -> key.startsWith("use of"))
        .as("the last has one worker, which is hardly used")
        .containsExactly("use of wrong behind shared, calm");
    assertThat(said.get("use of wrong behind shared, calm"))
        .contains("utilisation of 40 %")
        .containsPattern("(1\\.9|2\\.0)\\d times");
  }

  @Test
  void floorAndPageFitASmallCache() throws Exception {
    String little =
        SMALL
            .replaceFirst("(?m)^  walk: .*\n", "")
            .replace("measured: 40min", "measured: 10min")
            .replace("seeds: [1, 2]", "seeds: [1]")
            .replace("servers: 2", "servers: 2, cache: 256MiB");
    Path out = run("little", little);
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.metric().equals("share_mean_mib"))
        .extracting(row -> row.key().arm())
        .contains("robinhood", "shared", "static");
    Path file =
        Files.writeString(
            folder.resolve("explicit.yaml"),
            SMALL.replace("cache: cache.shared", "cache: { policy: cache.shared, floor: 30GiB }"));
    assertThat(read(file, Choices.none()).head().arms()).contains("shared");
  }

  @Test
  void aFixedArmLearnsWithItsOwnSettings() throws Exception {
    Path out =
        run(
            "fixed",
            SMALL
                .replaceFirst("(?s)  walk:.*?\n", "")
                .replace("seeds: [1, 2]", "seeds: [1]")
                .concat("  hasty: { cache: { policy: cache.static, learn: 0s, tax: 10% } }\n"));
    assertThat(
            RowReader.read(out, MetricRow.FORMAT).stream()
                .filter(row -> row.metric().equals("share_mean_mib"))
                .filter(row -> row.params().equals("backend=b1"))
                .filter(row -> row.key().seed().equals("all"))
                .filter(row -> !row.key().arm().equals("robinhood"))
                .filter(row -> !row.key().arm().equals("shared"))
                .map(MetricRow::value)
                .distinct())
        .hasSize(2);
  }

  /** The names are no reason: another workload's backends have no spikes of the paper. */
  @Test
  void sharesAreLearnedInTheSpikesOfThePapersWorkloadOnly() throws Exception {
    Path other =
        Files.writeString(
            folder.resolve("names.yaml"),
            """
            experiment: names
            on: cache
            model:
              workload: { backends: { b1: { keys: 9 }, b5: { keys: 9 }, b6: { keys: 9 }, b8: { keys: 9 } } }
            scenarios: { calm: { kind: none } }
            arms: { static: { cache: { policy: cache.static, learn: 0s } } }
            """);
    Path small = Files.writeString(folder.resolve("onerf.yaml"), SMALL);
    assertThat(reference(other).isCalm()).isTrue();
    assertThat(reference(small).isCalm()).isFalse();
  }

  private static Scenario reference(Path file) {
    return read(file, Choices.none()).points().get(0).settings().settings().reference().apply(1);
  }

  /** They miss whatever {@code misses} says of the others. */
  @Test
  void aBackendIsBuiltForTheUncacheableQueriesOfATrace() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      lines.append(
          "{\"t\":%1$d,\"d\":[{\"a\":{\"S\":[9,9],\"U\":[\"x%1$d\",\"y%1$d\"],\"C\":[0,0]}}]}\n"
              .formatted(i));
    }
    Files.writeString(folder.resolve("never.jsonl"), lines.toString());
    Path out =
        run(
            "never",
            """
            experiment: never
            on: cache
            model: { workload: { trace: never.jsonl }, cache: 1MiB, requests: 200/s }
            scenarios: { calm: { kind: none, warm-up: 10s, measured: 60s } }
            arms: { shared: { cache: cache.shared } }
            """);
    assertThat(use(out, "a")).allSatisfy(row -> assertThat(row.value()).isBetween(37.0, 43.0));
  }

  /** Two of five requests are drawn again: the others have 1/0.6 times as many queries. */
  @Test
  void aBackendIsBuiltForTheQueriesOfRequestsThatAreNotEmpty() throws Exception {
    Path out =
        run(
            "sparse",
            """
            experiment: sparse
            on: cache
            model:
              workload:
                backends:
                  often: { in: 50%, keys: 100000, zipf: 0, misses: 100% }
                  seldom: { in: 20%, keys: 100000, zipf: 0, misses: 100% }
              cache: 1MiB
              requests: 400/s
              utilisation: 40%
            scale: 1
            scenarios: { calm: { kind: none, warm-up: 10s, measured: 60s } }
            arms: { shared: { cache: { policy: cache.shared, floor: 0B } } }
            """);
    for (String backend : List.of("often", "seldom")) {
      assertThat(RowReader.read(out, MetricRow.FORMAT))
          .filteredOn(row -> row.metric().equals("backend_busy_pct"))
          .filteredOn(row -> row.params().equals("backend=" + backend))
          .isNotEmpty()
          .allSatisfy(row -> assertThat(row.value()).isBetween(37.0, 43.0));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"t\":0,\"d\":[{\"a\":{\"S\":[1],\"U\":[\"x\"],\"C\":[1,1]}}]} | lists of one length",
        "{\"t\":0,\"d\":7} | d is not a list",
        "nonsense | a request of a trace",
        "{\"t\":0,\"d\":[]} {\"t\":1,\"d\":[]} | a request of a trace",
        "{\"t\":0,\"d\":[{\"a\":{\"S\":[-1],\"U\":[\"x\"],\"C\":[1]}}]} | a size of -1",
      })
  void aLineThatIsNoRequestIsRefusedByNumber(String line, String words) throws IOException {
    String good = "{\"t\":0,\"d\":[{\"a\":{\"S\":[1],\"U\":[\"x\"],\"C\":[1]}}]}\n";
    Path trace = Files.writeString(folder.resolve("t.jsonl"), good + line + "\n");
    ConfigNode node = ConfigNode.parse("t", "trace: x").at("trace");
    assertThatThrownBy(() -> TraceReader.read(trace, node))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words)
        .hasMessageContaining(":2");
  }

  @Test
  void blankLinesAreSkippedAndSeveralSizesAreTold() throws IOException {
    String one = "{\"t\":0,\"d\":[{\"a\":{\"S\":[%d],\"U\":[\"x\"],\"C\":[1]}}]}\r\n";
    String text = "\uFEFF" + one.formatted(7) + "\r\n\n" + one.formatted(9) + one.formatted(7);
    Path trace = Files.writeString(folder.resolve("t.jsonl"), text);
    TraceReader.Read read = TraceReader.read(trace, ConfigNode.parse("t", "trace: x").at("trace"));
    assertThat(read.trace().bytes(0, 0)).isEqualTo(7);
    assertThat(read.words())
        .isEqualTo(
            "3 requests, 3 queries to 1 backends; 1 objects have several sizes, of which the first"
                + " counts");
  }
}
