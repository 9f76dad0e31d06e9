/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static dev.manx.lab.kind.cachelive.SmallCacheLive.FILES;
import static dev.manx.lab.kind.cachelive.SmallCacheLive.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.client.store.server.CacheServer;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.experiment.Turn;
import dev.manx.lab.kind.cachelive.CacheLiveKind.At;
import dev.manx.lab.report.Report;
import dev.manx.local.cluster.ManxHome;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import dev.manx.workload.result.TimelineRow;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Small runs on all real backends except Cassandra; tests check their files, not their results. */
@Tag("engines")
@Execution(ExecutionMode.CONCURRENT)
class CacheLiveKindTest {
  @TempDir private Path folder;

  private Path run(String text, Map<String, String> settings) throws Exception {
    return SmallCacheLive.run(folder, text, settings);
  }

  private Experiment<LiveArm, At> read(Path file, Map<String, String> settings) {
    return SmallCacheLive.read(folder, file, settings);
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
            "p50_ms_calm",
            "p99_ms_calm",
            "p50_ms_squeezed",
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

  /** MiB of all shares, each rounded, at each sample; a move may be half done. */
  private static List<Double> shares(List<TimelineRow> timeline) {
    return timeline.stream()
        .filter(row -> row.metric().equals("share_mib"))
        .collect(
            Collectors.groupingBy(
                row -> row.round() + "@" + row.seconds(),
                Collectors.summingDouble(TimelineRow::value)))
        .values()
        .stream()
        .toList();
  }

  /** A JVM that starts backends and waits for its end. */
  public static final class Started {
    public static void main(String[] a) throws Exception {
      Path folder = Path.of(a[0]);
      Path file = Files.writeString(folder.resolve("files.yaml"), FILES);
      try (var player =
          SmallCacheLive.read(folder, file, Map.of()).stage().open(new SilentProgress())) {
        System.out.println("started " + player.environment().containsKey("backend pictures"));
        Thread.currentThread().join();
      }
    }
  }

  /** They were dropped, and the rounds began. */
  @Test
  void wrongRowsWhileAnArmSettlesEndTheRun() throws Exception {
    Path file = Files.writeString(folder.resolve("files.yaml"), FILES);
    Experiment<LiveArm, At> experiment = read(file, Map.of());
    try (Player<LiveArm, At> player = experiment.stage().open(new SilentProgress());
        Stream<Path> all = Files.walk(folder.resolve("work"))) {
      for (Path value : all.filter(Files::isRegularFile).toList()) {
        Files.write(value, new byte[(int) Files.size(value)]);
      }
      assertThatThrownBy(() -> player.settle(experiment.points().get(0).arms().get(0)))
          .isInstanceOf(RunException.class)
          .hasMessageMatching("arm shared while settling: .* rows wrong, missing or duplicated");
    }
  }

  /** Ctrl-C and SIGTERM end the JVM alike. */
  @Test
  @Timeout(120)
  void theBackendsFilesGoWithTheJvm() throws Exception {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dmanx.home=" + ManxHome.find().root(),
                "-cp",
                System.getProperty("java.class.path"),
                Started.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out = jvm.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).isEqualTo("started true");
      jvm.destroy();
      assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      jvm.destroyForcibly();
    }
    try (Stream<Path> left = Files.list(folder.resolve("work"))) {
      assertThat(left).isEmpty();
    }
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

  /** A dead share only misses, and misses fast: its arm lost, in this turn and all later ones. */
  @Test
  void aDeadServerOfAShareVoidsTheRun() throws Exception {
    assumeTrue(CacheServer.Kind.MEMCACHED.program().isPresent(), "needs memcached");
    String files =
        SMALL
            .replaceAll("(?m)^  (orders|pages|similar): .*\n|^squeeze: .*\n", "")
            .replace("capacity: 4MiB", "capacity: 64MiB, store: memcached");
    Path file =
        Files.writeString(folder.resolve("files.yaml"), files.replace("page: 16KiB", "page: 1MiB"));
    Experiment<LiveArm, At> experiment = read(file, Map.of("settle", "0s"));
    try (CacheLivePlayer player = (CacheLivePlayer) experiment.stage().open(new SilentProgress())) {
      List<Turn<LiveArm, At>> turns = experiment.turns();
      assertThat(player.play(turns.get(0), now -> {}).first().count()).isPositive();
      List<CacheServer> stores = player.run(turns.get(0).arm()).stores();
      assertThat(stores).isNotEmpty();
      ProcessHandle store = ProcessHandle.of(stores.get(0).pid()).orElseThrow();
      assertThatThrownBy(
              () ->
                  player.play(
                      turns.get(0),
                      now -> {
                        store.destroyForcibly();
                        store.onExit().join();
                      }))
          .isInstanceOf(RunException.class)
          .hasMessageMatching("the memcached of share \\w+ has died; the run is void");
      Turn<LiveArm, At> other =
          turns.stream().filter(turn -> turn.arm() != turns.get(0).arm()).findFirst().orElseThrow();
      assertThat(player.play(other, now -> {}).first().count()).as("of another arm").isPositive();
    }
  }

  /** Later rounds had other backends: their work was calibrated anew. */
  @Test
  void aContinuedRunHasTheWorkOfItsFirstPart() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("two.yaml"), SMALL.replaceAll("(?m)^  (orders|pictures): .*\n", ""));
    Experiment<LiveArm, At> experiment = read(file, Map.of("squeeze.by", "limit"));
    try (CacheLivePlayer player = (CacheLivePlayer) experiment.stage().open(new SilentProgress())) {
      assertThat(player.conditions()).containsEntry("squeeze", "by the backend's own gate");
      assertThat(player.calibrate(Map.of()))
          .containsOnlyKeys("work of pages", "work of similar")
          .allSatisfy((name, rounds) -> assertThat(rounds).isPositive());
      Map<String, Double> first = Map.of("work of pages", 1234.0, "work of similar", 321.0);
      assertThat(player.calibrate(first)).isEqualTo(first);
      assertThat(player.environment().get("backend pages")).contains(" 1234 rounds of SHA-256");
      assertThat(player.environment().get("backend similar")).contains("321 products");
      assertThat(player.play(experiment.turns().get(0), now -> {}).first().wrong()).isZero();
    }
  }

  /** After kill -9 the data of backends stayed for good. */
  @Test
  void theFilesOfAKilledJvmsBackendsAreRemoved() throws Exception {
    Path killed = Files.createDirectories(folder.resolve("work/backends-4194305-1"));
    Files.writeString(killed.resolve("orders.mv.db"), "some");
    Path file =
        Files.writeString(
            folder.resolve("files.yaml"),
            SMALL.replaceAll("(?m)^  (orders|pages|similar): .*\n|^squeeze: .*\n", ""));
    try (var player = read(file, Map.of()).stage().open(new SilentProgress())) {
      assertThat(player.environment()).containsKey("backend pictures");
      assertThat(killed).doesNotExist();
    }
  }

  /** The costs of dividing a cache: two application servers and a statistics server. */
  @Test
  void severalServersShowWhatTheirControllersCost() throws Exception {
    String two = SMALL.replaceAll("(?m)^  *(orders|similar): .*\n", "");
    Path out = run(two, Map.of("servers", "2", "rounds", "1"));
    assertThat(RowReader.read(out, SummaryRow.FORMAT))
        .isNotEmpty()
        .allMatch(row -> row.wrong() == 0);
    List<MetricRow> metrics = RowReader.read(out, MetricRow.FORMAT);
    assertThat(metrics)
        .as("the hits of a store in this process have no latency")
        .noneMatch(row -> row.metric().startsWith("hit_p99"));
    assertThat(metrics)
        .filteredOn(row -> row.metric().matches("exchange_.*|controller_kb"))
        .isNotEmpty()
        .allMatch(row -> row.key().arm().equals("robinhood"))
        .allMatch(row -> row.value() > 0)
        .extracting(MetricRow::metric)
        .contains("exchange_kb_per_s", "exchange_bytes_per_request", "controller_kb");
    assertThat(shares(RowReader.read(out, TimelineRow.FORMAT)))
        .as("mean shares of the two servers, in MiB")
        .isNotEmpty()
        .allSatisfy(sum -> assertThat(sum).isBetween(3.5, 4.003));
  }

  /** A page has a fallback for failures; every other value is checked as usual. */
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
}
