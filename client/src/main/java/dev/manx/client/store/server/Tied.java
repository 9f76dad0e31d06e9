/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Starts programs that end with this JVM, even if it is killed with -9: under {@code setpriv
 * --pdeathsig} where there is one (util-linux); elsewhere they end when it ends in good order.
 */
final class Tied {
  // The death signal is sent when the *thread* that forked ends, so one that does not end forks.
  private static final ExecutorService FORKER =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "manx-server-forker");
            thread.setDaemon(true);
            return thread;
          });
  private static final boolean GUARDED = probe();

  private Tied() {}

  static boolean guarded() {
    return GUARDED;
  }

  /**
   * @param output where both its streams go
   */
  static Process start(List<String> command, Path output) throws IOException {
    List<String> line = new ArrayList<>();
    if (GUARDED) {
      // KILL also ends a stopped process; a cache has nothing to save.
      line.addAll(List.of("setpriv", "--pdeathsig", "KILL"));
    }
    line.addAll(command);
    return fork(
        new ProcessBuilder(line)
            .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile()));
  }

  private static Process fork(ProcessBuilder builder) throws IOException {
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
    try {
      return fork(new ProcessBuilder("setpriv", "--pdeathsig", "KILL", "true")
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
}
