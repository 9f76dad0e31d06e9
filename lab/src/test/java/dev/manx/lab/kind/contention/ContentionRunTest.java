/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.contention.engine.EngineBuild;
import dev.manx.contention.engine.EngineException;
import dev.manx.contention.engine.EngineLibrary;
import dev.manx.contention.engine.EngineStore;
import dev.manx.contention.engine.Permission;
import dev.manx.contention.proc.CpuList;
import dev.manx.contention.proc.Proc;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentRun;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.contention.ContentionKind.At;
import dev.manx.lab.report.Report;
import dev.manx.policy.config.ConfigException;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A tiny run on Debian's WiredTiger, which checks the files and not the speed. */
@Tag("engines")
@Execution(ExecutionMode.CONCURRENT)
class ContentionRunTest {
  private static final String TINY =
      """
      experiment: tiny
      on: contention
      data: { records: 800, mix: ycsb-a, keys: shared, popularity: { zipf: 0.9 } }
      loads: [5%]
      threads: 4
      warm-up: 50ms
      window: 400ms
      rounds: 2
      quiet: { repeats: 0 }
      cases:
        unrestricted: {}
        pinned-nice: { window: 600ms }
        pinned-nice-throughout: { threads: [2, 4, 6], rounds: 1, arms: [limiter] }
      arms:
        stock: { build: debian }
        limiter: { build: debian, limit: cores }
      """;

  /** With the driver, which is compiled once. */
  @TempDir private static Path engines;

  @TempDir private Path folder;
  private final List<String> said = Collections.synchronizedList(new ArrayList<>());

  /** What a test does at a line that shows the present turn. */
  private Consumer<String> atTurn = text -> {};

  private final Progress progress =
      new Progress() {
        @Override
        public void step(String text) {
          said.add(text);
          if (text.startsWith("fetching")) {
            throw new IllegalStateException("no test fetches the engine");
          }
        }

        @Override
        public void now(String text) {
          atTurn.accept(text);
        }
      };

  @BeforeEach
  void assumeWiredTiger() throws InterruptedException {
    boolean engine = EngineBuild.debian().isPresent();
    if (!engine) {
      assertThat(System.getenv("CI")).as("continuous integration has libwiredtiger-dev").isNull();
    }
    assumeTrue(engine, "libwiredtiger-dev is not installed");
  }

  private ExperimentRun<EngineArm, At> runner(String text, Map<String, String> set) {
    return new ExperimentRun<>(experiment(text, set), "", progress);
  }

  private Experiment<EngineArm, At> experiment(String text, Map<String, String> set) {
    Choices choices = new Choices(set, List.of(), false);
    return ContentionKind.read(
        new ExperimentSource(Path.of("tiny"), text, choices), new EngineStore(engines));
  }

  @Test
  void theResultFilesAreComplete() throws IOException, InterruptedException {
    assumeTrue(mayRaise(), "priorities cannot be raised here");
    Path out = folder.resolve("out");
    runner(TINY, Map.of()).run(out);

    List<SummaryRow> summary = RowReader.read(out, SummaryRow.FORMAT);
    // Two arms, two cases, two rounds and two pools; one arm and one round of the third case.
    assertThat(summary).hasSize(2 * 2 * 4 + 3);
    assertThat(summary).allMatch(row -> row.count() > 0 && row.wrong() == 0);
    assertThat(summary)
        .extracting(row -> row.key().requestClass())
        .containsOnly("unrestricted", "pinned-nice", "pinned-nice-throughout");
    assertThat(Histograms.readLog(Histograms.logFile(out, "stock", "pinned-nice")).getTotalCount())
        .isEqualTo(
            summary.stream()
                .filter(row -> row.key().arm().equals("stock"))
                .filter(row -> row.key().requestClass().equals("pinned-nice"))
                .filter(row -> row.key().seed().equals("all"))
                .mapToLong(SummaryRow::count)
                .sum());

    List<MetricRow> metrics = RowReader.read(out, MetricRow.FORMAT);
    assertThat(metrics)
        .extracting(MetricRow::metric)
        .contains(
            "cpu_us_per_op",
            "conflict_retries",
            "foreign_cpu_pct",
            "steal_pct",
            "noisy",
            "p999_over_unrestricted",
            "p999_over_baseline",
            "cpu_per_op_over_baseline");
    assertThat(metrics.stream().filter(row -> row.metric().equals("latency_p999_us")))
        .extracting(MetricRow::params)
        .contains("threads=2", "threads=4", "threads=6");
    assertThat(metrics.stream().filter(row -> row.metric().equals("mark")))
        .hasSize(4)
        .allMatch(row -> row.params().matches("from=[\\d.]+;to=[\\d.]+;label=pinned-nice: .*"));
    List<TimelineRow> timeline = RowReader.read(out, TimelineRow.FORMAT);
    assertThat(timeline).extracting(TimelineRow::entity).contains("unrestricted", "pinned-nice");
    Map<String, String> environment = Environment.read(out).settings();
    for (String arm : List.of("stock", "limiter")) {
      assertThat(environment.get("engine " + arm)).startsWith("WiredTiger 3.2.1");
    }
    assertThat(Report.of(out).text()).contains("limiter");
    assertThat(said).anyMatch(line -> line.matches("tiny: 2 arms, .*: 11 turns.*"));
    assertThat(said).contains("case pinned-nice-throughout: without arm stock (its `arms:`)");
  }

  /** An operation on other data takes another time, so that its rate is another. */
  @Test
  void aShareOfACoreIsFoundForTheDataOfEachPoint() throws IOException {
    Path out = folder.resolve("swept");
    Map<String, String> one =
        Map.of(
            "sweep", "{ data.value: [64KiB] }",
            "cases.pinned-nice", "null",
            "cases.pinned-nice-throughout", "null",
            "rounds", "1");
    // The rates are written before the first turn.
    atTurn =
        text -> {
          if (text.startsWith("[1/")) {
            throw new RunException("interrupted");
          }
        };
    assertThatThrownBy(() -> runner(TINY, one).run(out)).hasMessageContaining("interrupted");
    Map<String, String> settings = Environment.read(out).settings();
    assertThat(settings).containsKeys("load 5%", "load 5%, data.value=64KiB");
    assertThat(perSecond(settings.get("load 5%, data.value=64KiB")))
        .isLessThan(perSecond(settings.get("load 5%")));
  }

  /** All turns of a load have the same rate, also those after an interruption. */
  @Test
  void aRunThatGoesOnKeepsItsRate() throws IOException, InterruptedException {
    try (Player<EngineArm, At> player =
        experiment(
                TINY, Map.of("cases.pinned-nice", "null", "cases.pinned-nice-throughout", "null"))
            .stage()
            .open(progress)) {
      assertThat(player.calibrate(Map.of("5%", 4_200.0))).isEqualTo(Map.of("5%", 4_200.0));
      assertThat(player.environment()).containsEntry("load 5%", "4200 operations/s");
    }
  }

  @Test
  void aClosedLoopHasNoRate() throws IOException, InterruptedException {
    Path out = folder.resolve("closed");
    Map<String, String> closed =
        Map.of(
            "loop", "closed",
            "cases.pinned-nice", "null",
            "cases.pinned-nice-throughout", "null",
            "rounds", "2");
    runner(TINY, closed).run(out);
    assertThat(Environment.read(out).settings())
        .containsEntry("load closed", "each session without pause");
    assertThat(Report.of(out).text()).contains("answers per second");
  }

  @Test
  void theEnvironmentNamesTheCoresThatThereAre() throws IOException, InterruptedException {
    int here = usableCores();
    Map<String, String> wide = new HashMap<>(pinned(here));
    wide.put("sweep", "{ cores: [1] }");
    try (Player<EngineArm, At> player = experiment(TINY, wide).stage().open(progress)) {
      player.calibrate(Map.of());
      assertThat(player.environment())
          .containsEntry("case pinned", "sessions confined to " + here + " of " + here + " cores")
          .containsEntry("case pinned, cores=1", "sessions confined to 1 of " + here + " cores");
      assertThat(player.environment().get("cores")).startsWith(here + " may be used; CPU quota: ");
    }
  }

  @Test
  void moreCoresThanThereAreAreRefused() {
    int more = usableCores() + 1;
    assertThatThrownBy(() -> experiment(TINY, pinned(more)).stage().open(progress))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("cores is " + more + ", but this program may run on " + (more - 1));
  }

  private static int usableCores() {
    String cpus = Proc.process(ProcessHandle.current().pid()).orElseThrow().cpus();
    return Proc.online(CpuList.parse(cpus)).size();
  }

  private static Map<String, String> pinned(int cores) {
    return Map.of(
        "cores", Integer.toString(cores),
        "loads", "[1k/s]",
        "cases.pinned-nice", "null",
        "cases.pinned-nice-throughout", "null",
        "cases.pinned", "{ rounds: 1 }");
  }

  /** As a developer of the engine has it: built, and not installed. */
  @Test
  void anOwnBuildOfTheEngineIsMeasured() throws IOException, InterruptedException {
    EngineLibrary debian = EngineBuild.debian().orElseThrow();
    Path build = Files.createDirectories(folder.resolve("build"));
    Files.createSymbolicLink(
        build.resolve("libwiredtiger.so"), debian.library().resolve("libwiredtiger.so"));
    Files.createSymbolicLink(
        Files.createDirectory(build.resolve("include")).resolve("wiredtiger.h"),
        debian.include().resolve("wiredtiger.h"));
    Files.writeString(
        build.resolve("CMakeCache.txt"), "CMAKE_BUILD_TYPE:STRING=None\nHAVE_DIAGNOSTIC:BOOL=ON\n");
    Path out = folder.resolve("own");
    String mine = "{ library: " + build + ", include: " + build.resolve("include") + " }";
    Map<String, String> set =
        Map.of(
            "arms.stock.build", mine,
            "loads", "[1k/s]",
            "cases.pinned-nice", "null",
            "cases.pinned-nice-throughout", "null",
            "rounds", "1");
    runner(TINY, set).run(out);
    SummaryRow round =
        RowReader.read(out, SummaryRow.FORMAT).stream()
            .filter(row -> row.key().arm().equals("stock") && row.key().round().equals("1"))
            .findFirst()
            .orElseThrow();
    assertThat(round.count()).isPositive();
    // On a busy machine some operations have not begun when the window ends; none failed.
    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.key().arm().equals("stock") && row.key().round().equals("1"))
        .filteredOn(row -> row.metric().equals("unfinished"))
        .extracting(MetricRow::value)
        .containsExactly((double) round.errors());
    assertThat(Environment.read(out).settings())
        .containsEntry(
            "build of stock", "CMAKE_BUILD_TYPE=None, HAVE_DIAGNOSTIC=1, ENABLE_TCMALLOC=0");
    assertThat(said)
        .anyMatch(line -> line.startsWith("warning: arm stock cannot be compared with builds"));
    // The driver of Debian's arm is one for its header.
    try (Stream<Path> drivers = Files.list(engines)) {
      assertThat(drivers)
          .anyMatch(file -> file.toString().contains("driver-" + EngineBuild.check(debian)));
    }
    Files.delete(build.resolve("libwiredtiger.so"));
    assertThatThrownBy(() -> runner(TINY, set).run(folder.resolve("again")))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("there is no " + build.resolve("libwiredtiger.so"));
  }

  /** The user waited for minutes, and then read that a folder was wrong. */
  @Test
  void aMissingOwnBuildIsNamedBeforeAnotherIsMade() {
    String none = "{ library: " + folder.resolve("none") + ", include: " + folder + " }";
    Map<String, String> set =
        Map.of(
            "arms.stock.build", "stock",
            "arms.limiter.build", none,
            "cases.pinned-nice", "null",
            "cases.pinned-nice-throughout", "null");
    assertThatThrownBy(() -> experiment(TINY, set).stage().open(progress))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("there is no " + folder.resolve("none/libwiredtiger.so"));
    assertThat(said).isEmpty();
  }

  /** An own build as a copy, in two rounds of two arms. */
  private Map<String, String> ownCopy(Path library) throws IOException {
    EngineLibrary debian = EngineBuild.debian().orElseThrow();
    Files.copy(debian.library().resolve("libwiredtiger.so"), library);
    return Map.of(
        "arms.stock.build",
            "{ library: " + library.getParent() + ", include: " + debian.include() + " }",
        "loads", "[1k/s]",
        "cases.pinned-nice", "null",
        "cases.pinned-nice-throughout", "null");
  }

  /** As a new build of the library does. */
  private static void change(Path library) {
    try {
      Files.write(library, new byte[] {0}, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One arm would be of two engines. */
  @Test
  void anInterruptedRunContinuesOnlyWithTheSameLibrary() throws IOException, InterruptedException {
    Path library = folder.resolve("libwiredtiger.so");
    Map<String, String> set = ownCopy(library);
    Path out = folder.resolve("out");
    atTurn =
        text -> {
          if (text.startsWith("[3/")) {
            throw new RunException("interrupted");
          }
        };
    assertThatThrownBy(() -> runner(TINY, set).run(out)).hasMessageContaining("interrupted");
    atTurn = text -> {};
    byte[] before = Files.readAllBytes(library);
    change(library);
    assertThatThrownBy(() -> runner(TINY, set).run(out))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("another folder")
        .hasMessageContaining("library of stock was " + before.length + " bytes with checksum ")
        .hasMessageContaining(" and is " + (before.length + 1) + " bytes with checksum ");
    Files.write(library, before);
    runner(TINY, set).run(out);
    assertThat(said).contains("resuming after 2 finished turns");
    Map<String, String> environment = Environment.read(out).settings();
    assertThat(environment.get("library of stock"))
        .matches(before.length + " bytes with checksum [0-9a-f]{8}")
        .isEqualTo(environment.get("library of limiter"));
  }

  @Test
  void aLibraryReplacedDuringARunEndsIt() throws IOException {
    Path library = folder.resolve("libwiredtiger.so");
    Map<String, String> set = ownCopy(library);
    atTurn =
        text -> {
          if (text.startsWith("[3/")) {
            change(library);
          }
        };
    assertThatThrownBy(() -> runner(TINY, set).run(folder.resolve("out")))
        .isInstanceOf(RunException.class)
        .hasMessageContaining(library + " was replaced during the run");
  }

  private static long perSecond(String words) {
    return Long.parseLong(words.substring(0, words.indexOf(' ')));
  }

  @Test
  void aFolderThatCannotBeWrittenIsToldPlainly() {
    assertThatThrownBy(
            () ->
                runner(TINY, Map.of("cases.pinned-nice", "null", "loads", "[1000/s]"))
                    .run(Path.of("/proc/none/out")))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("/proc/none/out");
  }

  private static boolean mayRaise() throws InterruptedException {
    try {
      Permission.require();
      return true;
    } catch (EngineException e) {
      return false;
    }
  }
}
