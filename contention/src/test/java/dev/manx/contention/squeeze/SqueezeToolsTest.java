/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.contention.proc.CpuList;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.proc.ProcThread;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A squeeze whose tools fail, or do only a part. */
@Tag("engines")
@Timeout(120)
class SqueezeToolsTest {
  @TempDir Path folder;

  /** First on the path, with tools of a test. */
  @TempDir Path tools;

  @BeforeEach
  void mayIt() {
    assumeTrue(Proc.maySetPriorities(), "needs root or CAP_SYS_NICE");
  }

  private Path tool(String name, String script) throws IOException {
    Path real =
        Stream.of(System.getenv("PATH").split(":", -1))
            .map(each -> Path.of(each, name))
            .filter(Files::isExecutable)
            .findFirst()
            .orElseThrow();
    Path tool = tools.resolve(name);
    Files.writeString(tool, "#!/bin/sh\nreal=" + real + "\n" + script + "exec $real \"$@\"\n");
    assertThat(tool.toFile().setExecutable(true)).isTrue();
    return tool;
  }

  private Process front(Crew crew, Map<String, String> environment) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(SqueezerTest.Front.command(crew, folder)).redirectErrorStream(true);
    builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static void end(Process front) throws IOException {
    front.getOutputStream().write('\n');
    front.getOutputStream().flush();
  }

  /** The lines up to and including the first that begins with a word. */
  private static List<String> until(BufferedReader said, String word) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      lines.add(line);
      if (line.startsWith(word)) {
        return lines;
      }
    }
    throw new AssertionError("no " + word + " in " + lines);
  }

  /** As where a limit of processes is reached, which a squeeze may cause. */
  @Test
  void theGuardTriesUntilItsToolsWorkAgain() throws Exception {
    Path broken = folder.resolve("broken");
    tool("renice", "[ -e " + broken + " ] && echo this tool is broken && exit 1\n");
    try (Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      Process front = front(crew, Map.of());
      try (BufferedReader said = front.inputReader(StandardCharsets.UTF_8)) {
        until(said, "boosted ");
        Files.createFile(broken);
        end(front);
        assertThat(until(said, "retrying "))
            .last()
            .asString()
            .contains("0 threads are still pinned, 3 still have our nice level")
            .contains("(this tool is broken)");
        Files.delete(broken);
        until(said, "restored ");
      } finally {
        front.destroyForcibly();
      }
      SqueezerTest.assertAsBefore(crew, before);
    }
  }

  @Test
  void theGuardTriesUntilItMayStartProcessesAgain() throws Exception {
    try (TestGroup pids = TestGroup.create("pids", "max");
        Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      Process front = front(crew, Map.of());
      try (BufferedReader said = front.inputReader(StandardCharsets.UTF_8)) {
        until(said, "boosted ");
        pids.add(SqueezeJournal.read(Squeezer.journal(folder, crew.pid())).guardPid());
        pids.set("pids.max", "1");
        end(front);
        assertThat(until(said, "retrying ")).last().asString().contains("cannot run ");
        pids.set("pids.max", "max");
        until(said, "restored ");
      } finally {
        front.destroyForcibly().waitFor();
      }
      SqueezerTest.assertAsBefore(crew, before);
    }
  }

  /** Since util-linux 2.39, {@code renice -n} then adds. */
  @Test
  void aPosixEnvironmentChangesNothing() throws Exception {
    tool(
        "renice",
        """
        if [ "$1" = -n ] && [ -n "${POSIXLY_CORRECT+set}" ]; then
          by=$2; shift 3
          for tid; do
            now=$(sed 's/.*) //' /proc/$tid/stat | cut -d' ' -f17)
            $real --priority $((now + by)) -p $tid
          done
          exit
        fi
        """);
    try (Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      Process front = front(crew, Map.of("POSIXLY_CORRECT", "1"));
      try (BufferedReader said = front.inputReader(StandardCharsets.UTF_8)) {
        until(said, "boosted ");
        end(front);
        until(said, "restored ");
      } finally {
        front.destroyForcibly();
      }
      SqueezerTest.assertAsBefore(crew, before);
    }
  }

  /** As {@code taskset -a} behind a thread whose cores are fixed, such as a worker of io_uring. */
  @Test
  void threadsBehindTheOneAtWhichTheToolStoppedArePinnedToo() throws Exception {
    assumeTrue(Proc.idleSeconds().size() > 1, "needs two cores");
    tool("taskset", "[ $1 = -a ] && shift && $real \"$@\" && exit 1\n");
    try (Crew crew = new Crew()) {
      List<ProcThread> before = crew.threads();
      String one = Integer.toString(CpuList.parse(crew.cpus("gamma")).get(0));
      Process front = front(crew, Map.of());
      try (BufferedReader said = front.inputReader(StandardCharsets.UTF_8)) {
        List<String> lines = until(said, "boosted ");
        int threads = crew.threads().size();
        assertThat(crew.threads()).extracting(ProcThread::cpus).containsOnly(one);
        assertThat(lines).anyMatch(line -> line.matches("pinned \\d+ " + threads + " " + one));
        assertThat(lines).noneMatch(line -> line.startsWith("partly"));
        end(front);
        until(said, "restored ");
      } finally {
        front.destroyForcibly();
      }
      SqueezerTest.assertAsBefore(crew, before);
    }
  }

  @Test
  void aThreadThatCannotBePinnedIsNamed() throws Exception {
    assumeTrue(Proc.idleSeconds().size() > 1, "needs two cores");
    try (Crew crew = new Crew()) {
      int tid = crew.thread("gamma").orElseThrow().tid();
      String all = crew.cpus("gamma");
      tool(
          "taskset",
          "[ $1 = -a ] && shift && $real \"$@\" && exit 1\n"
              + "[ $4 = "
              + tid
              + " ] && echo not this one && exit 1\n");
      Process front = front(crew, Map.of());
      try (BufferedReader said = front.inputReader(StandardCharsets.UTF_8)) {
        List<String> lines = until(said, "boosted ");
        int pinned = crew.threads().size() - 1;
        assertThat(lines).anyMatch(line -> line.matches("pinned \\d+ " + pinned + " .*"));
        assertThat(lines).contains("partly not pinned: gamma (" + tid + "); not this one");
        assertThat(crew.cpus("gamma")).isEqualTo(all);
        end(front);
        until(said, "restored ");
      } finally {
        front.destroyForcibly();
      }
    }
  }

  /** Since Linux 6.2, a thread keeps to the cores that were set for it when its cpuset grows. */
  @Test
  void aRestoredThreadFollowsItsCpuset() throws Exception {
    assumeTrue(Proc.idleSeconds().size() > 1, "needs two cores");
    try (TestGroup cpuset = TestGroup.create("cpuset", "cpus");
        Crew crew = new Crew()) {
      List<Integer> cores = CpuList.parse(crew.cpus("gamma"));
      assumeTrue(cores.size() > 1, "may use one core only");
      cpuset.set("cpuset.cpus", CpuList.format(cores.subList(0, 1)));
      cpuset.copy("cpuset.mems");
      cpuset.add(crew.pid());
      assertThat(crew.threads())
          .extracting(ProcThread::cpus)
          .containsOnly(CpuList.format(cores.subList(0, 1)));
      try (Squeezer squeezer =
          Squeezer.prepare(
              SqueezedProcess.check(crew.pid(), SqueezerTest.BOTH),
              SqueezerTest.BOTH,
              Schedule.of(SqueezerTest.LONG),
              folder,
              line -> {})) {
        squeezer.go();
        SqueezerTest.eventuallySqueezed(crew);
      }
      cpuset.set("cpuset.cpus", CpuList.format(cores));
      assertThat(crew.threads()).extracting(ProcThread::cpus).containsOnly(CpuList.format(cores));
    }
  }
}
