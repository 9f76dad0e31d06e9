/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.proc.ProcThread;
import dev.manx.contention.squeeze.Squeezer;
import dev.manx.contention.watch.ProcessActivity;
import dev.manx.local.cluster.ManxHome;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The commands on a separate process: their output and exit codes. Alone, since a line that another
 * test's thread logs would be in the output too.
 */
@Isolated
@Tag("slow")
class ContentionCommandTest {
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private Process sleeper;

  @BeforeEach
  void start() throws Exception {
    sleeper = new ProcessBuilder("sleep", "300").start();
    PrintStream capture = new PrintStream(said, true, StandardCharsets.UTF_8);
    System.setOut(capture);
    System.setErr(capture);
  }

  @AfterEach
  void end() {
    System.setOut(out);
    System.setErr(err);
    sleeper.destroyForcibly();
  }

  private int manx(String... words) {
    String[] all = new String[words.length + 1];
    all[0] = "contention";
    System.arraycopy(words, 0, all, 1, words.length);
    return Manx.execute(all);
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void squeezesAndGivesBack() {
    assumeTrue(Proc.maySetPriorities(), "needs root or CAP_SYS_NICE");
    String pid = Long.toString(sleeper.pid());
    ProcThread before = Proc.process(sleeper.pid()).orElseThrow();
    assertThat(
            manx("squeeze", "--pid", pid, "--cores", "1", "--threads", "sl?ep", "--for", "200ms"))
        .isZero();
    assertThat(said())
        .contains("pinned 1 thread to cores ")
        .contains("boosted 1 thread: sleep")
        .contains("journal: " + Squeezer.journal(Squeezer.folder(), sleeper.pid()))
        .contains("restored: cores of 1 thread, nice level of 1");
    ProcThread after = Proc.process(sleeper.pid()).orElseThrow();
    assertThat(after.nice()).isEqualTo(before.nice());
    assertThat(after.cpus()).isEqualTo(before.cpus());
  }

  /** Without -x, pgrep finds mongodb_exporter, too. */
  @Test
  void theShownCommandsFindMongodAlone() throws IOException {
    assertThat(manx("watch", "--help")).isZero();
    assertThat(manx("squeeze", "--help")).isZero();
    Path docs = ManxHome.find().root().resolve("docs/operate");
    String shown =
        said()
            + Files.readString(docs.resolve("safe-waiting.md"))
            + Files.readString(docs.resolve("mongodb-busy-waiting.md"));
    assertThat(Pattern.compile("\\$\\(pgrep [^)]*\\)").matcher(shown).results())
        .extracting(MatchResult::group)
        .hasSizeGreaterThan(5)
        .allMatch(command -> command.contains("-x mongod"));
  }

  /** A squeeze without root has its journal elsewhere. */
  @Test
  void restoreNamesEveryFolderThatItSearched() {
    assertThat(manx("restore", "--folder", "/none/one", "--folder", "/none/two")).isZero();
    assertThat(said())
        .contains("found no journal of a squeeze in /none/one, /none/two;")
        .doesNotContain("nothing is squeezed");
  }

  @Test
  void aDryRunChangesNothing() {
    assumeTrue(Proc.maySetPriorities(), "needs root or CAP_SYS_NICE");
    ProcThread before = Proc.process(sleeper.pid()).orElseThrow();
    String pid = Long.toString(sleeper.pid());
    assertThat(manx("squeeze", "--pid", pid, "--cores", "1", "--boost", "4", "--dry-run")).isZero();
    assertThat(said())
        .contains("would squeeze process " + pid)
        .contains("1 thread to cores")
        .contains("sleep");
    ProcThread after = Proc.process(sleeper.pid()).orElseThrow();
    assertThat(after.nice()).isEqualTo(before.nice());
    assertThat(after.cpus()).isEqualTo(before.cpus());
  }

  @Test
  void refusesWithTheRightCode() {
    assertThat(manx("squeeze", "--pid", "1", "--cores", "1")).isEqualTo(1);
    assertThat(manx("squeeze", "--pid", "999999999", "--cores", "1")).isEqualTo(1);
    assertThat(manx("squeeze", "--pid", "1")).isEqualTo(2);
    assertThat(manx("squeeze", "--pid", "1", "--cores", "none")).isEqualTo(2);
    assertThat(manx("squeeze", "--pid", "1", "--cores", "1", "--for", "3")).isEqualTo(2);
    assertThat(manx("squeeze", "--pid", "x", "--cores", "1")).isEqualTo(2);
    assertThat(manx("watch", "--pid", "999999999")).isEqualTo(1);
    assertThat(manx("watch", "--pid", "1", "--interval", "1ms")).isEqualTo(2);
    assertThat(manx("watch", "--pid", "1", "--once", "--top", "-1")).isEqualTo(2);
    assertThat(manx("watch", "--pid", "1", "--once", "--csv", "--json")).isEqualTo(2);
    assertThat(manx()).isEqualTo(2);
    assertThat(said())
        .contains("manx: nothing to squeeze: give --cores, --boost or --threads\n")
        .contains("manx: watch: --top = '-1' is invalid")
        .contains("manx: give --csv or --json, not both\n")
        .contains("process 1 is never squeezed")
        .contains("there is no process 999999999")
        .contains("manx: command line: cores = 'none' is invalid")
        .contains("manx: command line: --for = '3' is invalid");
  }

  private Process squeeze(String time) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Manx.class.getName(),
            "contention",
            "squeeze",
            "--pid=" + sleeper.pid(),
            "--cores=1",
            "--for=" + time)
        .redirectErrorStream(true)
        .start();
  }

  /** At the end of the command, too, which ends the squeeze. */
  @Test
  @Timeout(60)
  void aRefusalIsPrintedOnce() throws Exception {
    Process first = squeeze("300s");
    try (BufferedReader out = first.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).startsWith("pinned 1 thread to ");
      Process second = squeeze("1s");
      String refusal = new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(second.waitFor()).isEqualTo(1);
      assertThat(refusal.split("is already being squeezed", -1)).as(refusal).hasSize(2);
    } finally {
      first.destroy();
      first.waitFor();
    }
  }

  @Test
  void watchesAsTableCsvAndJson() throws Exception {
    String pid = Long.toString(ProcessHandle.current().pid());
    assertThat(manx("watch", "--pid", pid, "--once", "--interval", "100ms", "--top", "3")).isZero();
    assertThat(said()).contains("process " + pid + ": ").contains("more threads");
    said.reset();
    assertThat(manx("watch", "--pid", pid, "--once", "--interval", "100ms", "--csv")).isZero();
    assertThat(said().lines().findFirst()).contains(WatchText.CSV_HEADER);
    int columns = WatchText.CSV_HEADER.split(",", -1).length;
    assertThat(said().lines().filter(line -> !line.contains("\"0-")))
        .allMatch(line -> line.split(",", -1).length >= columns);
    said.reset();
    assertThat(manx("watch", "--pid", pid, "--once", "--interval", "100ms", "--json")).isZero();
    JsonNode json = new ObjectMapper().readTree(said());
    assertThat(json.get("pid").asText()).isEqualTo(pid);
    assertThat(json.get("flagged").isBoolean()).isTrue();
    assertThat(json.get("threads").size()).isGreaterThan(3);
  }

  /** What reads lines of JSON would stop at another line. */
  @Test
  void theEndOfAProcessIsNoLineOfJsonOrCsv() throws Exception {
    for (String form : List.of("--json", "--csv")) {
      said.reset();
      Process brief = new ProcessBuilder("sleep", "300").start();
      Thread end = new Thread(() -> endAfterLines(brief, 2));
      end.setDaemon(true);
      end.start();
      String pid = Long.toString(brief.pid());
      assertThat(manx("watch", "--pid", pid, "--interval", "100ms", form)).isZero();
      end.join();
      assertThat(said()).doesNotContain("has ended");
    }
  }

  /** As in a pipe to head. */
  @Test
  @Timeout(60)
  void aWatchEndsWithItsReader() {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    System.setOut(new PrintStream(closed, true, StandardCharsets.UTF_8));
    String pid = Long.toString(ProcessHandle.current().pid());
    for (String form : List.of("--top=3", "--csv", "--json")) {
      assertThat(manx("watch", "--pid", pid, "--interval", "50ms", form)).isZero();
    }
  }

  private void endAfterLines(Process process, int lines) {
    while (process.isAlive() && said().lines().count() < lines) {
      LockSupport.parkNanos(10_000_000);
    }
    process.destroyForcibly();
  }

  private static ProcessActivity activity(ProcThread before, ProcThread after) {
    return ProcessActivity.between(
        new ProcessActivity.Snapshot(0, List.of(before), Map.of(0, 1.0)),
        new ProcessActivity.Snapshot(1_000_000_000, List.of(after), Map.of(0, 1.0)));
  }

  @Test
  void noFormGivesAVerdictThatTheKernelDoesNotSupport() throws IOException {
    ProcThread silent = new ProcThread(7, "x", 'S', false, 0, 1, "0", 0, 0, 0, 0);
    ProcessActivity look = activity(silent, silent);
    assertThat(WatchText.table(7, look, 5)).contains("no /proc/PID/task/TID");
    JsonNode json = new ObjectMapper().readTree(WatchText.json(7, 1, look));
    assertThat(json.get("flagged").isNull()).isTrue();
    assertThat(json.get("at_limit").isNull()).isTrue();
    assertThat(json.get("verdict").asText()).startsWith("cannot be measured");
    assertThat(WatchText.csv(1, look)).endsWith(",?,,");
  }

  @Test
  void unknownIdleTimeIsNotANumber() throws IOException {
    ProcThread running = new ProcThread(7, "x", 'R', false, 0, 1, "5", 9, 0, 0, 0);
    ProcessActivity look = activity(running, running);
    assertThat(WatchText.table(7, look, 5)).contains("(idle unknown)");
    JsonNode json = new ObjectMapper().readTree(WatchText.json(7, 1, look));
    assertThat(json.get("cores_idle_pct").isNull()).isTrue();
    assertThat(json.get("throttled_pct").isNull()).isTrue();
    assertThat(json.get("flagged").isNull()).isTrue();
  }

  @Test
  void everyFormShowsAnExhaustedQuota() throws IOException {
    ProcThread running = new ProcThread(7, "x", 'R', false, 0, 1, "0", 9, 0, 0, 0);
    ProcessActivity free = activity(running, running);
    ProcessActivity look = new ProcessActivity(1, free.threads(), free.idleByCore(), 1.5, 0.375);
    assertThat(WatchText.table(7, look, 5)).contains("throttled 38 % by a quota of 1.50 cores");
    JsonNode json = new ObjectMapper().readTree(WatchText.json(7, 1, look));
    assertThat(json.get("throttled_pct").asDouble()).isEqualTo(37.5);
    assertThat(json.get("cpu_quota_cores").asDouble()).isEqualTo(1.5);
    assertThat(json.get("at_limit").asBoolean()).isTrue();
    assertThat(WatchText.csv(1, look)).endsWith(",37.5,");
  }

  /** A nice level has no effect on such a thread. */
  @Test
  void theClassOfARealTimeThreadIsShown() throws IOException {
    ProcThread first = new ProcThread(7, "x", 'R', false, 0, 1, "0", 9, 0, 0, 0, "FIFO 10", false);
    ProcessActivity look = activity(first, first);
    assertThat(WatchText.table(7, look, 5)).contains(" FIFO 10 ");
    JsonNode json = new ObjectMapper().readTree(WatchText.json(7, 1, look));
    assertThat(json.get("threads").get(0).get("scheduling").asText()).isEqualTo("FIFO 10");
    assertThat(WatchText.csv(1, look)).endsWith(",FIFO 10");
  }

  /** A script must not take silence for a clean process. */
  @Test
  void oneIntervalOfAProcessThatEndsIsAFailure() throws Exception {
    Process brief = new ProcessBuilder("sleep", "0.1").start();
    String pid = Long.toString(brief.pid());
    assertThat(manx("watch", "--pid", pid, "--once", "--json", "--interval", "500ms")).isEqualTo(1);
  }
}
