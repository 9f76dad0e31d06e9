/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.contention.proc.CpuList;
import dev.manx.contention.proc.Proc;
import dev.manx.workload.result.Histograms;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The driver, compiled with sanitizers. */
@Tag("engines")
class DriverTest {
  private static final List<String> SQUEEZED =
      List.of(
          "threads=8",
          "rate=4000",
          "warm-ms=50",
          "run-ms=600",
          "cores=1",
          "boost=4",
          "from-ms=200",
          "to-ms=400",
          "records=1000");

  @TempDir private static Path programs;

  @TempDir private Path folder;

  @BeforeEach
  void aCompiler() {
    Gcc.require();
  }

  /** The program of these sources, compiled once for all tests. */
  private static Path compile(String name, String sanitizer, List<Path> sources)
      throws IOException, InterruptedException {
    String program = name + "-" + sanitizer.replace(',', '-');
    Path done = programs.resolve(program);
    return Files.exists(done) ? done : Gcc.compile(programs, program, sanitizer, sources);
  }

  private static Path unitTest() throws IOException, InterruptedException {
    List<Path> sources = new ArrayList<>(List.of(Gcc.TEST.resolve("unit_test.c")));
    for (String name : List.of("chance.c", "histogram.c", "machine.c", "options.c", "priority.c")) {
      sources.add(Gcc.MAIN.resolve(name));
    }
    return compile("unit", "address,undefined", sources);
  }

  @Test
  void itsPartsAreRight() throws IOException, InterruptedException {
    Gcc.Said said = Gcc.run(folder, Map.of(), List.of(unitTest().toString()));
    assertThat(said.text()).endsWith("ok\n");
    assertThat(said.code()).isZero();
  }

  /** Records the same values in the C program and here. */
  @Test
  void itsHistogramsAreHdrHistograms() throws IOException, InterruptedException {
    Gcc.Said said = Gcc.run(folder, Map.of(), List.of(unitTest().toString(), "dump"));
    Histogram read = DriverOutput.histogram(said.text().lines().toList());
    Histogram expected = Histograms.create();
    long value = 1;
    for (int i = 0; i < 4000; i++) {
      Histograms.record(expected, Math.max(Histograms.LOWEST_NANOS, value));
      value = value * 1013 / 1000 + 7;
      value = value > 700_000_000_000L ? 1 : value;
    }
    assertThat(read).isEqualTo(expected);
    assertThat(read.getValueAtPercentile(99.9)).isEqualTo(expected.getValueAtPercentile(99.9));
  }

  @ParameterizedTest
  @CsvSource({"spin,3", "adaptive,30", "yield,100", "sleep,100", "blocking,300"})
  void everyWayOfWaitingEnds(String way, String rounds) throws IOException, InterruptedException {
    Path test = compile("wait", "thread", List.of(Gcc.TEST.resolve("wait_test.c")));
    Gcc.Said said = Gcc.run(folder, Map.of("MANX_WAIT", way), List.of(test.toString(), rounds));
    assertThat(said.text()).contains(" waits, ").doesNotContain("WARNING");
    assertThat(said.code()).isZero();
  }

  /** The test of the ways of waiting would notice a publisher that wakes no waiter. */
  @Test
  void lostWakeUpsAreNoticed() throws IOException, InterruptedException {
    Path patch = Files.createDirectories(folder.resolve("patch"));
    String header = DriverSources.waitHeader();
    String deaf = header.replace("&manx_publications, FUTEX_WAKE", "&manx_waiters, FUTEX_WAKE");
    assertThat(deaf).isNotEqualTo(header);
    Files.writeString(patch.resolve(DriverSources.WAIT_HEADER), deaf);
    Path source = folder.resolve("wait_test.c");
    Files.copy(Gcc.TEST.resolve("wait_test.c"), source);
    Files.copy(Gcc.TEST.resolve("check.h"), folder.resolve("check.h"));
    // The compiler looks beside the source first.
    Path test = Gcc.compile(folder, "deaf", "undefined", List.of(source));
    Gcc.Said said =
        Gcc.run(folder, Map.of("MANX_WAIT", "blocking"), List.of(test.toString(), "100"));
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.text()).contains("wake-ups were lost in 100 rounds");
  }

  @Test
  void anUnknownWayOfWaitingIsRefused() throws IOException, InterruptedException {
    Path test = compile("wait", "address", List.of(Gcc.TEST.resolve("wait_test.c")));
    Gcc.Said said = Gcc.run(folder, Map.of("MANX_WAIT", "hope"), List.of(test.toString()));
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.text()).contains("MANX_WAIT=hope is refused");
  }

  /** Uses an array as engine, because ThreadSanitizer sees only code compiled with it. */
  @Test
  void itsThreadsDoNotRace() throws IOException, InterruptedException {
    Path driver = compile("driver", "thread", Gcc.driver(Gcc.TEST.resolve("engine_memory.c")));
    for (List<String> more :
        List.of(List.of("limit=2"), List.of("rate=0", "reads=0.5", "shared-keys=1", "zipf=0.9"))) {
      RepetitionResult result = run(driver, more);
      assertThat(result.count()).isPositive();
      assertThat(result.engine()).isEqualTo("an array");
      assertThat(result.waits()).isEmpty();
    }
  }

  /** Uses Debian's WiredTiger, a real engine that needs no build. */
  @Test
  void itDrivesWiredTiger() throws IOException, InterruptedException {
    Gcc.needed(EngineBuild.debian().isPresent(), "libwiredtiger-dev");
    Path driver =
        compile("driver", "address,undefined", Gcc.driver(Gcc.MAIN.resolve("engine_wiredtiger.c")));
    RepetitionResult result = run(driver, List.of());
    assertThat(result.engine()).startsWith("WiredTiger 3.2.1");
    assertThat(result.failed()).isZero();
    assertThat(result.error()).isEmpty();
    assertThat(result.nanos().getTotalCount()).isEqualTo(result.count());
    assertThat(result.seconds()).hasSize(1);
    assertThat(result.seconds().get(0).count()).isEqualTo(result.count());
    assertThat(result.boostedFrom()).isGreaterThanOrEqualTo(0.2);
    assertThat(result.boostedTo()).isGreaterThanOrEqualTo(result.boostedFrom());
    assertThat(result.sessionCpuSeconds()).isPositive();
    assertThat(run(driver, List.of("shared-keys=1", "reads=0.5", "zipf=0.99")).failed()).isZero();
  }

  /**
   * Next to a program that fills a core which the driver may not use. Sessions without a pause fill
   * the driver's own core, as far as others leave it to them: all time that is counted is that of
   * one core, however busy the machine is, and would be that of two with the other core.
   */
  @Test
  void coresThatItMayNotUseDoNotDisturbIt() throws IOException, InterruptedException {
    List<Integer> cores =
        Proc.online(
            CpuList.parse(Proc.process(ProcessHandle.current().pid()).orElseThrow().cpus()));
    assumeTrue(cores.size() > 1, "needs two cores");
    assumeTrue(Proc.idleSeconds().keySet().containsAll(cores), "needs their numbers in /proc/stat");
    Gcc.needed(Tool.exists("taskset"), "taskset");
    Path driver = compile("driver", "undefined", Gcc.driver(Gcc.TEST.resolve("engine_memory.c")));
    Path out = Files.createTempDirectory(folder, "out");
    Process other =
        new ProcessBuilder(on(cores.get(1), List.of("sh", "-c", "while :; do :; done"))).start();
    try {
      List<String> command =
          List.of(
              driver.toString(),
              "home=" + Files.createTempDirectory(folder, "home"),
              "out=" + out,
              "threads=2",
              "rate=0",
              "warm-ms=200",
              "run-ms=1000");
      Gcc.Said said = Gcc.run(folder, Map.of(), on(cores.get(0), command));
      assertThat(said.text()).isEmpty();
      assertThat(said.code()).isZero();
    } finally {
      other.destroyForcibly();
    }
    RepetitionResult result = DriverOutput.read(out);
    double counted =
        result.sessionCpuSeconds() / result.windowSeconds()
            + result.noise().foreign()
            + result.noise().steal();
    assertThat(counted).isBetween(0.0, 1.5);
  }

  private static List<String> on(int core, List<String> command) {
    List<String> all = new ArrayList<>(List.of("taskset", "-c", Integer.toString(core)));
    all.addAll(command);
    return all;
  }

  /** Its input ends with the process that started it, even if that is killed. */
  @Test
  void itEndsWithTheProcessThatStartedIt() throws IOException, InterruptedException {
    Path driver = compile("driver", "address", Gcc.driver(Gcc.TEST.resolve("engine_memory.c")));
    Process process =
        new ProcessBuilder(command(driver, "600000"))
            .inheritIO()
            .redirectInput(Redirect.PIPE)
            .start();
    try {
      process.getOutputStream().close();
      assertThat(process.waitFor()).isEqualTo(1);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void itNeedsNoInput() throws IOException, InterruptedException {
    Path driver = compile("driver", "address", Gcc.driver(Gcc.TEST.resolve("engine_memory.c")));
    Process process =
        new ProcessBuilder(command(driver, "300"))
            .inheritIO()
            .redirectInput(Path.of("/dev/null").toFile())
            .start();
    try {
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  private List<String> command(Path driver, String millis) throws IOException {
    return List.of(
        driver.toString(),
        "home=" + Files.createTempDirectory(folder, "home"),
        "out=" + Files.createTempDirectory(folder, "out"),
        "threads=2",
        "rate=100",
        "warm-ms=0",
        "run-ms=" + millis);
  }

  /** Ends with an error and leaves no results. */
  @Test
  void aFolderThatIsNotThereIsAnError() throws IOException, InterruptedException {
    Path driver = compile("driver", "address", Gcc.driver(Gcc.TEST.resolve("engine_memory.c")));
    Gcc.Said said =
        Gcc.run(
            folder, Map.of(), List.of(driver.toString(), "home=h", "out=nowhere", "run-ms=100"));
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.text()).contains("cannot write nowhere/summary.json: No such file");
  }

  /** As a user without the right; root gives the right away first. */
  @Test
  void itRefusesWhereItMayNotRaisePriorities() throws IOException, InterruptedException {
    Path driver = compile("driver", "undefined", Gcc.driver(Gcc.TEST.resolve("engine_memory.c")));
    List<String> command = new ArrayList<>();
    if (mayRaise()) {
      Gcc.needed(Tool.exists("setpriv"), "setpriv");
      command.addAll(List.of("setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice", "--"));
    }
    command.addAll(List.of(driver.toString(), "home=h", "out=o", "boost=1"));
    Gcc.Said said = Gcc.run(folder, Map.of(), command);
    assertThat(said.text()).contains("may not raise priorities").contains("prlimit --nice=40");
    assertThat(said.code()).isEqualTo(77);
  }

  private static boolean mayRaise() throws InterruptedException {
    try {
      Permission.require();
      return true;
    } catch (EngineException e) {
      assertThat(e).hasMessageContaining("prlimit --nice=40");
      return false;
    }
  }

  /** A holder of lower priority gets the core late. */
  @Test
  void anUpdateIsRepeatedAsLongAsTheWindowLasts() throws IOException, InterruptedException {
    Path driver = compile("driver", "address", Gcc.driver(Gcc.TEST.resolve("engine_memory.c")));
    RepetitionResult late = run(driver, List.of("boost=0"), Map.of("CONFLICTS", "1000"));
    assertThat(late.retries()).isEqualTo(1_000);
    assertThat(late.failed()).isZero();
    RepetitionResult never =
        run(driver, List.of("boost=0", "rate=0"), Map.of("CONFLICTS", "1000000000000"));
    assertThat(never.failed()).isZero();
    assertThat(never.answered()).isZero();
    assertThat(never.error()).isEmpty();
    RepetitionResult open = run(driver, List.of("boost=0"), Map.of("CONFLICTS", "1000000000000"));
    assertThat(open.failed()).isZero();
    assertThat(open.count()).isPositive().isEqualTo(open.unfinished());
    assertThat(open.nanos().getTotalCount()).isEqualTo(open.count());
  }

  private RepetitionResult run(Path driver, List<String> more)
      throws IOException, InterruptedException {
    return run(driver, more, Map.of());
  }

  private RepetitionResult run(Path driver, List<String> more, Map<String, String> env)
      throws IOException, InterruptedException {
    Path home = Files.createTempDirectory(folder, "home");
    Path out = Files.createTempDirectory(folder, "out");
    List<String> command =
        new ArrayList<>(List.of(driver.toString(), "home=" + home, "out=" + out));
    command.addAll(SQUEEZED);
    if (!mayRaise()) {
      command.addAll(List.of("boost=0"));
    }
    command.addAll(more);
    Gcc.Said said = Gcc.run(folder, env, command);
    assertThat(said.text()).isEmpty();
    assertThat(said.code()).isZero();
    return DriverOutput.read(out);
  }
}
