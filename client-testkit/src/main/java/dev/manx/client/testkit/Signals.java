/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Sends signals to processes started by a test. */
public final class Signals {
  private Signals() {}

  /** Sends a signal; after STOP, returns only when no thread of the process runs any more. */
  public static void send(String signal, long pid) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start();
    assertThat(kill.waitFor()).isZero();
    if (signal.equals("STOP")) {
      RemoteStoreContract.found(() -> isStopped(pid));
    }
  }

  /** A thread on another core may still serve a request after the signal was sent. */
  private static boolean isStopped(long pid) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      return threads.allMatch(thread -> state(thread) == 'T');
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static char state(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (NoSuchFileException e) {
      return 'T';
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
