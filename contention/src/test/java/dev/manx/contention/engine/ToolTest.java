/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.contention.ChildJvm;
import java.io.BufferedReader;
import java.nio.file.Files;
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
                    List.of(
                        Tool.Need.program("sh", "dash"),
                        Tool.Need.program("no-such-a", "pack-a"),
                        Tool.Need.program("no-such-b", "pack-b"))))
        .hasMessageContaining("apt-get install pack-a pack-b")
        .hasMessageNotContaining("dash");
  }

  /** A Python without pip is not enough. */
  @Test
  void aProgramIsTried() throws InterruptedException {
    assertThat(Tool.succeeds("sh", "-c", "echo fine")).isTrue();
    assertThat(Tool.succeeds("sh", "-c", "exit 1")).isFalse();
    assertThat(Tool.succeeds("no-such-program-here")).isFalse();
  }

  /** A JVM that builds WiredTiger into a store, and prints what it did and why it could not. */
  public static final class BuildingWiredTiger {
    public static void main(String[] a) throws InterruptedException {
      StepListener said =
          new StepListener() {
            @Override
            public void step(String text) {
              System.out.println(text);
            }

            @Override
            public void now(String text) {
              // only for users
            }
          };
      try {
        new EngineBuild(new EngineStore(Path.of(a[0])), said).stock();
      } catch (EngineException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /** The compilers were named after the source had been fetched. */
  @Test
  void allMissingToolsOfABuildAreNamedBeforeItStarts() throws Exception {
    Path store = folder.resolve("store");
    String needed = " gcc g++ cmake ninja-build tar";
    assertThat(withoutPrograms(store))
        .endsWith("install python3 python3-pip python3-venv" + needed);
    assertThat(store).doesNotExist();
    Files.createDirectories(store.resolve("wiredtiger-" + EngineBuild.VERSION + "-source"));
    assertThat(withoutPrograms(store)).endsWith("install" + needed);
  }

  private static String withoutPrograms(Path store) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(ChildJvm.command(BuildingWiredTiger.class, store.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("PATH", store.resolve("none").toString());
    Process jvm = builder.start();
    try (BufferedReader out = jvm.inputReader()) {
      return String.join("\n", out.lines().toList());
    } finally {
      jvm.destroyForcibly();
    }
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
