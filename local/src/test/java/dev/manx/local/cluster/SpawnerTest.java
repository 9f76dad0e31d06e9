/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.client.store.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpawnerTest {
  @TempDir Path folder;

  /**
   * A JVM that starts a tied process from a thread that ends at once, prints its pid, and waits.
   */
  public static final class Parent {
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
      starter.start();
      starter.join();
      Thread.sleep(300_000);
    }
  }

  @Test
  void aTiedProcessDiesWithAJvmThatIsKilled() throws Exception {
    assumeTrue(ChildProcess.guarded(), "needs setpriv of util-linux");
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Parent.class.getName(),
                folder.resolve("out").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = parent.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
      // the starting thread has long ended, but the child must still run
      Thread.sleep(300);
      assertThat(child.isAlive()).isTrue();
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
      assertThat(marked.isAlive()).isFalse();
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
      assertThat(marked.isAlive()).isFalse();
    } finally {
      end(marked);
    }
  }

  private static void end(Process... processes) {
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
