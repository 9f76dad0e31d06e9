/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.contention.ChildJvm;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolTest {
  @TempDir private Path folder;

  @Test
  void linesAreHandedOnAndLogged() throws InterruptedException {
    List<String> lines = new ArrayList<>();
    Path log = folder.resolve("log");
    new Tool(log).run(folder, List.of("sh", "-c", "echo one; echo two >&2"), lines::add);
    assertThat(lines).containsExactly("one", "two");
    assertThat(log).content().contains("$ sh -c").contains("one\n").contains("two\n");
  }

  @Test
  void aFailureShowsWhatTheProgramSaid() {
    Tool tool = new Tool(folder.resolve("log"));
    assertThatThrownBy(() -> tool.run(folder, List.of("sh", "-c", "echo alas; exit 3"), line -> {}))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("code 3")
        .hasMessageContaining("alas")
        .hasMessageContaining("log");
    assertThatThrownBy(() -> tool.run(folder, List.of("no-such-program-here"), line -> {}))
        .hasMessageContaining("cannot run no-such-program-here");
  }

  @Test
  void missingToolsAreNamedWithTheirPackages() {
    assertThatThrownBy(
            () ->
                Tool.require(
                    List.of("sh", "no-such-a", "no-such-b"), List.of("dash", "pack-a", "pack-b")))
        .hasMessageContaining("apt-get install pack-a pack-b")
        .hasMessageNotContaining("dash");
  }

  @Test
  void anInterruptEndsTheProgram() throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicReference<String> pid = new AtomicReference<>();
    CountDownLatch running = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              try {
                new Tool(folder.resolve("log"))
                    .run(
                        folder,
                        List.of("sh", "-c", "echo $$; exec sleep 600"),
                        line -> {
                          pid.set(line);
                          running.countDown();
                        });
              } catch (InterruptedException | RuntimeException e) {
                thrown.set(e);
              }
            });
    thread.start();
    running.await();
    thread.interrupt();
    thread.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertEnds(pid.get());
  }

  private static void assertEnds(String pid) {
    Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(pid));
    try {
      process.ifPresent(
          it -> assertThat(it.onExit()).succeedsWithin(20, TimeUnit.SECONDS).isNotNull());
    } finally {
      process.ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** A JVM whose tool starts a child of its own, prints the child's id, and waits. */
  public static final class Building {
    public static void main(String[] a) throws InterruptedException {
      List<String> command = List.of("sh", "-c", "sleep 600 & echo $!; wait");
      new Tool(Path.of(a[0])).run(Path.of("."), command, System.out::println);
    }
  }

  @Test
  void theEndOfTheJvmEndsTheProgramAndItsChildren() throws Exception {
    Process jvm = ChildJvm.start(Building.class, folder.resolve("log").toString());
    try (BufferedReader out = jvm.inputReader()) {
      String pid = out.readLine();
      jvm.destroy();
      assertThat(jvm.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertEnds(pid);
    } finally {
      jvm.destroyForcibly();
    }
  }
}
