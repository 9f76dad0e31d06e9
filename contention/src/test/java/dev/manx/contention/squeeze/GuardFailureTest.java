/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.contention.proc.ProcThread;
import dev.manx.contention.proc.Scratch;
import dev.manx.policy.config.Setting;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A guard that ends before it has squeezed anything, or whose classes have gone at the end. */
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

  /** As by a new build while a squeeze is running. */
  @Test
  void aGuardNeedsNoFilesOfItsOwnInTheEnd() throws Exception {
    String classPath = System.getProperty("java.class.path");
    Path copy = folder.resolve("copy");
    List<String> said = Collections.synchronizedList(new ArrayList<>());
    Path journals = folder.resolve("journals");
    try (Crew crew = new Crew()) {
      String cpus = crew.cpus("alpha-0");
      copy(origin(GuardMain.class), copy);
      copy(origin(Setting.class), copy);
      System.setProperty("java.class.path", copy.toString());
      Squeezer squeezer =
          Squeezer.prepare(
              SqueezedProcess.check(crew.pid(), ONE_CORE),
              ONE_CORE,
              Schedule.of(120_000_000_000L),
              journals,
              line -> {
                said.add(line);
                if (line.startsWith("pinned ")) {
                  Scratch.delete(copy);
                }
              });
      squeezer.go();
      // The guard's lines are read by await, which goes on meanwhile.
      Thread end = new Thread(() -> endAfterDeletion(squeezer, copy));
      end.start();
      squeezer.await();
      end.join();
      assertThat(said)
          .extracting(line -> line.split(" ", 2)[0])
          .containsExactly("ready", "pinned", "restored");
      assertThat(crew.threads()).extracting(ProcThread::cpus).containsOnly(cpus);
    } finally {
      System.setProperty("java.class.path", classPath);
    }
  }

  private static void endAfterDeletion(Squeezer squeezer, Path copy) {
    while (Files.exists(copy)) {
      LockSupport.parkNanos(10_000_000);
    }
    squeezer.end();
  }

  /** The folder of a module's classes, or its jar. */
  private static Path origin(Class<?> one) throws Exception {
    return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** Copies classes into a folder. */
  private static void copy(Path from, Path to) throws IOException {
    if (Files.isDirectory(from)) {
      copyFiles(from, to);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(from)) {
        copyFiles(jar.getPath("/"), to);
      }
    }
  }

  private static void copyFiles(Path from, Path to) throws IOException {
    try (Stream<Path> found = Files.walk(from)) {
      List<Path> classes = found.filter(file -> file.toString().endsWith(".class")).toList();
      for (Path file : classes) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
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
