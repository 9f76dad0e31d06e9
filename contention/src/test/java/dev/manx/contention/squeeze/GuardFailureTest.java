/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.contention.proc.ProcThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A guard that ends before it has squeezed anything. */
@Tag("engines")
@Timeout(120)
class GuardFailureTest {
  private static final Squeeze ONE_CORE = new Squeeze(1, 0, "", 0);

  @TempDir Path folder;

  private Squeezer prepare(Crew crew) {
    return Squeezer.prepare(
        SqueezedProcess.check(crew.pid(), ONE_CORE),
        ONE_CORE,
        Schedule.of(120_000_000_000L),
        folder,
        line -> {});
  }

  private static ProcessHandle guardBeforeTheWord(Crew crew) {
    return ProcessHandle.current()
        .children()
        .filter(child -> arguments(child).contains(GuardMain.class.getName()))
        .filter(child -> arguments(child).contains(Long.toString(crew.pid())))
        .findFirst()
        .orElseThrow();
  }

  /** From /proc, because {@code info()} has none of a command line longer than a page. */
  private static List<String> arguments(ProcessHandle process) {
    try {
      Path line = Path.of("/proc", Long.toString(process.pid()), "cmdline");
      return List.of(Files.readString(line).split("\0", -1));
    } catch (IOException e) {
      return List.of();
    }
  }

  @Test
  void aGuardThatIsKilledBeforeItSqueezesIsAnError() throws Exception {
    try (Crew crew = new Crew()) {
      String cpus = crew.cpus("alpha-0");
      Squeezer squeezer = prepare(crew);
      ProcessHandle guard = guardBeforeTheWord(crew);
      signal("-STOP", guard);
      squeezer.go();
      signal("-KILL", guard);
      assertThatThrownBy(squeezer::await)
          .isInstanceOf(SqueezeException.class)
          .hasMessageContaining("before it squeezed anything");
      assertThat(crew.threads()).extracting(ProcThread::cpus).containsOnly(cpus);
    }
  }

  private static void signal(String name, ProcessHandle to) throws Exception {
    String pid = Long.toString(to.pid());
    assertThat(new ProcessBuilder("kill", name, pid).start().waitFor()).isZero();
  }

  @Test
  void aGuardThatDoesNotStartSaysWhy() throws Exception {
    String classPath = System.getProperty("java.class.path");
    try (Crew crew = new Crew()) {
      System.setProperty("java.class.path", folder.toString());
      assertThatThrownBy(() -> prepare(crew))
          .isInstanceOf(SqueezeException.class)
          .hasMessageContaining("the guard did not start")
          .hasMessageContaining("Could not find or load main class");
    } finally {
      System.setProperty("java.class.path", classPath);
    }
  }
}
