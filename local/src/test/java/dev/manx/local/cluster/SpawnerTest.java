/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.client.store.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpawnerTest {
  @TempDir Path folder;

  /**
   * A JVM that starts a tied process from a thread, prints its pid, prints another line when the
   * thread has ended, and waits.
   */
  public static final class Parent {
    private static final String STARTER = "starter";

    public static void main(String[] arguments) throws Exception {
      Thread starter =
          new Thread(
              () -> {
                try {
                  Process child =
                      Spawner.start(List.of("sleep", "300"), true, Path.of(arguments[0]));
                  System.out.println(child.pid());
                } catch (IOException e) {
                  System.out.println(e);
                }
              });
      starter.setName(STARTER);
      starter.start();
      starter.join();
      while (runs(STARTER)) {
        LockSupport.parkNanos(1_000_000);
      }
      System.out.println("the starting thread has ended");
      Thread.sleep(300_000);
    }

    /** Whether the system still has a thread of this name; it ends later than Java's. */
    private static boolean runs(String thread) throws IOException {
      try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
        return threads.anyMatch(one -> thread.equals(name(one)));
      }
    }

    private static String name(Path thread) {
      try {
        return Files.readString(thread.resolve("comm")).strip();
      } catch (IOException e) {
        return "";
      }
    }
  }

  /** A JVM that runs a command and waits for its end. */
  public static final class Runner {
    public static void main(String[] arguments) throws Exception {
      Spawner.start(List.of("sh", "-c", arguments[1]), true, Path.of(arguments[0])).waitFor();
    }
  }

  private ProcessBuilder jvm(Class<?> main, String... further) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                folder.resolve("out").toString()));
    command.addAll(List.of(further));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  /**
   * They would change the nodes' memory or compilers, and one of them overrides our own options.
   */
  @Test
  void optionsForEveryJvmDoNotReachNodes() throws Exception {
    ProcessBuilder runner = jvm(Runner.class, "env | grep 'JAVA.*OPTIONS'; echo end");
    for (String name : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
      runner.environment().put(name, "-Dsome=thing");
    }
    // A JVM names there the options that it picks up.
    runner.redirectError(ProcessBuilder.Redirect.DISCARD);
    assertThat(runner.start().waitFor()).isZero();
    assertThat(Files.readString(folder.resolve("out"))).isEqualTo("end\n");
  }

  /** The program that ties a process to its JVM replaces itself by the command. */
  private static void awaitTied(ProcessHandle child) {
    while (child.info().command().orElse("").contains("setpriv")) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Stops a process; one that has been killed ends instead. */
  private static boolean stops(ProcessHandle process) throws Exception {
    String pid = Long.toString(process.pid());
    new ProcessBuilder("kill", "-STOP", pid).start().waitFor();
    while (process.isAlive()) {
      if (Files.readString(Path.of("/proc", pid, "stat")).contains(") T ")) {
        return true;
      }
      LockSupport.parkNanos(1_000_000);
    }
    return false;
  }

  /** A node is stopped during the event `pause`. */
  @Test
  void aStoppedProcessDiesWithItsJvmToo() throws Exception {
    assumeTrue(ChildProcess.guarded(), "needs setpriv of util-linux");
    Process parent = jvm(Parent.class).start();
    try (BufferedReader out = parent.inputReader()) {
      long pid = Long.parseLong(out.readLine());
      ProcessHandle child = ProcessHandle.of(pid).orElseThrow();
      try {
        awaitTied(child);
        assertThat(stops(child)).isTrue();
        parent.destroyForcibly().waitFor();
        child.onExit().get(20, TimeUnit.SECONDS);
        assertThat(child.isAlive()).isFalse();
      } finally {
        child.destroyForcibly();
      }
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  void aTiedProcessDiesWithAJvmThatIsKilled() throws Exception {
    assumeTrue(ChildProcess.guarded(), "needs setpriv of util-linux");
    Process parent = jvm(Parent.class).start();
    try (BufferedReader out = parent.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
      awaitTied(child);
      assertThat(out.readLine()).isEqualTo("the starting thread has ended");
      assertThat(stops(child)).as("it was not killed with the thread").isTrue();
      new ProcessBuilder("kill", "-CONT", Long.toString(child.pid())).start().waitFor();
      parent.destroyForcibly().waitFor();
      child.onExit().get(20, TimeUnit.SECONDS);
      assertThat(child.isAlive()).isFalse();
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  void onlyProcessesWithOurMarkerAreOurs() throws Exception {
    Path cluster = folder.resolve("cluster");
    Node ours = new Node(1, 1, cluster.resolve("node1"));
    Node foreign = new Node(2, 2, cluster.resolve("node2"));
    Files.createDirectories(ours.folder());
    Files.createDirectories(foreign.folder());
    Process marked =
        new ProcessBuilder("sh", "-c", "sleep 300; :", NodeCommand.MARKER + cluster).start();
    Process other = new ProcessBuilder("sh", "-c", "sleep 300; :").start();
    try {
      Files.writeString(ours.pidFile(), marked.pid() + "\n");
      Files.writeString(foreign.pidFile(), other.pid() + "\n");
      Optional<ProcessHandle> found = OwnProcesses.running(ours, cluster);
      assertThat(found).map(ProcessHandle::pid).contains(marked.pid());
      assertThat(OwnProcesses.running(foreign, cluster)).isEmpty();
      assertThat(OwnProcesses.clusterOf(marked.pid())).contains(cluster.toString());
      assertThat(LocalCluster.down(cluster)).isEqualTo(1);
      assertThat(hasEnded(marked)).isTrue();
      assertThat(other.isAlive()).isTrue();
      assertThat(LocalCluster.down(cluster)).isZero();
    } finally {
      end(marked, other);
    }
  }

  /** After {@code rm -r} or {@code git clean} of a running cluster's folder. */
  @Test
  void aNodeWhoseFilesAreGoneIsStoppedToo() throws Exception {
    Path cluster = folder.resolve("removed");
    Process marked =
        new ProcessBuilder("sh", "-c", "sleep 300; :", NodeCommand.MARKER + cluster).start();
    try {
      assertThat(LocalCluster.down(folder.resolve("another"))).isZero();
      assertThat(marked.isAlive()).isTrue();
      assertThat(LocalCluster.down(cluster)).isEqualTo(1);
      assertThat(hasEnded(marked)).isTrue();
    } finally {
      end(marked);
    }
  }

  /** Its Process notices its end a little later. */
  private static boolean hasEnded(Process process) {
    return !process.toHandle().isAlive();
  }

  private static void end(Process... processes) {
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
