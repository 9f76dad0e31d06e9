/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Starts programs that end with this JVM, even after kill -9: with {@code setpriv --pdeathsig}
 * where available (util-linux); elsewhere only when the JVM ends normally.
 */
public final class ChildProcess {
  // Linux sends the death signal when the *thread* that forked ends, so one immortal thread forks.
  private static final ExecutorService FORKER =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "manx-forker");
            thread.setDaemon(true);
            return thread;
          });
  private static final boolean GUARDED = probe();

  private ChildProcess() {}

  /** Whether a child ends with this JVM even after kill -9. */
  public static boolean guarded() {
    return GUARDED;
  }

  /**
   * A program without input.
   *
   * @param output file for both output streams
   */
  public static ProcessBuilder program(List<String> command, Path output) {
    return new ProcessBuilder(new ArrayList<>(command))
        .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
        .redirectErrorStream(true)
        .redirectOutput(output.toFile());
  }

  /**
   * Starts a program that ends with this JVM.
   *
   * @param signal signal sent to it then: TERM, or KILL, which also ends a stopped process
   */
  public static Process start(ProcessBuilder program, String signal) throws IOException {
    if (GUARDED) {
      program.command().addAll(0, List.of("setpriv", "--pdeathsig", signal));
    }
    return fork(program);
  }

  private static Process fork(ProcessBuilder program) throws IOException {
    try {
      return FORKER.submit(program::start).get();
    } catch (ExecutionException e) {
      throw new IOException("cannot start " + program.command().get(0), e.getCause());
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
