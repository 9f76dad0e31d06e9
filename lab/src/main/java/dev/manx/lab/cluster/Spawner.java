/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Starts processes that do not outlive this JVM, however it ends: under {@code setpriv --pdeathsig}
 * where the machine has it (util-linux, Linux only), else the shutdown hook alone stands guard.
 */
public final class Spawner {
  // Linux sends the death signal when the *thread* that forked ends, so one immortal thread forks.
  private static final ExecutorService FORKER =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "manx-forker");
            thread.setDaemon(true);
            return thread;
          });
  private static final boolean GUARDED = probe();

  private Spawner() {}

  /** Whether a process dies with this JVM even if it is killed with -9. */
  static boolean guarded() {
    return GUARDED;
  }

  /**
   * Starts a process.
   *
   * @param tied whether the process ends with this JVM; if not, it gets a session of its own, so
   *     that the terminal's Ctrl-C and hang-up pass it by
   * @param output where both its streams go
   */
  public static Process start(List<String> command, boolean tied, Path output) throws IOException {
    List<String> line = new ArrayList<>();
    if (tied && GUARDED) {
      line.addAll(List.of("setpriv", "--pdeathsig", "TERM"));
    } else if (!tied && find("setsid")) {
      line.add("setsid");
    }
    line.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    // A user's own options must not reach the nodes: they are part of what is measured.
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    return onForker(builder);
  }

  private static Process onForker(ProcessBuilder builder) throws IOException {
    try {
      return FORKER.submit(builder::start).get();
    } catch (ExecutionException e) {
      throw new IOException("cannot start " + builder.command().get(0), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting a process", e);
    }
  }

  private static boolean probe() {
    if (!find("setpriv")) {
      return false;
    }
    try {
      return onForker(
                  new ProcessBuilder("setpriv", "--pdeathsig", "TERM", "true")
                      .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                      .redirectError(ProcessBuilder.Redirect.DISCARD))
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static boolean find(String program) {
    for (String folder : System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(":", -1)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
        return true;
      }
    }
    return false;
  }
}
