/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.contention.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes and their folders end with what started them. */
@Timeout(60)
class ScratchTest {
  @TempDir private Path parent;

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(parent)) {
      return files.toList();
    }
  }

  @Test
  void theProcessAndItsFilesEndWithIt() throws Exception {
    Process process;
    try (Scratch scratch = Scratch.create(parent, "turn-")) {
      Files.createDirectories(scratch.folder().resolve("home/data"));
      Files.writeString(scratch.folder().resolve("home/data/file"), "some");
      process = scratch.start(new ProcessBuilder("sleep", "300"));
      assertThat(left()).containsExactly(scratch.folder());
    }
    assertThat(process.isAlive()).isFalse();
    assertThat(left()).isEmpty();
  }

  /** After kill -9 the data of an engine would stay in memory for good. */
  @Test
  void theFolderOfAKilledJvmIsRemovedByTheNext() throws Exception {
    long living = ProcessHandle.current().parent().orElseThrow().pid();
    Path killed = Files.createDirectory(parent.resolve("turn-4194305-12"));
    Files.writeString(Files.createDirectory(killed.resolve("home")).resolve("data"), "some");
    Path atWork = Files.createDirectory(parent.resolve("turn-" + living + "-12"));
    Path other = Files.createDirectory(parent.resolve("turn-table"));
    try (Scratch scratch = Scratch.create(parent, "turn-")) {
      assertThat(left()).containsExactlyInAnyOrder(scratch.folder(), atWork, other);
      try (Scratch second = Scratch.create(parent, "turn-")) {
        assertThat(second.folder()).isNotEqualTo(scratch.folder());
        assertThat(scratch.folder()).exists();
      }
    }
  }

  @Test
  void nothingStartsAfterItsEnd() throws IOException {
    Scratch scratch = Scratch.create(parent.resolve("made"), "turn-");
    scratch.close();
    assertThatThrownBy(() -> scratch.start(new ProcessBuilder("sleep", "300")))
        .isInstanceOf(IOException.class);
  }

  /** The main class of a child JVM whose process sleeps in a scratch folder until it is killed. */
  public static final class Worker {
    public static void main(String[] a) throws Exception {
      try (Scratch scratch = Scratch.create(Path.of(a[0]), "turn-")) {
        Process process = scratch.start(new ProcessBuilder("sleep", "300"));
        System.out.println(process.pid());
        process.waitFor();
      }
    }
  }

  @Test
  void sigtermLeavesNothingBehind() throws Exception {
    Process jvm = ChildJvm.start(Worker.class, parent.toString());
    try (BufferedReader out = jvm.inputReader(StandardCharsets.UTF_8)) {
      long pid = Long.parseLong(out.readLine());
      assertThat(ProcessHandle.of(pid)).isPresent();
      jvm.destroy();
      assertThat(jvm.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
      assertThat(left()).isEmpty();
    } finally {
      jvm.destroyForcibly();
    }
  }
}
