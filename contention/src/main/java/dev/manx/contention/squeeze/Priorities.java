/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Sets cores and nice levels of single threads with {@code taskset} and {@code renice} of
 * util-linux, because Java 17 has no call for it. Ended threads are skipped; the caller verifies
 * the effect in /proc.
 */
final class Priorities {
  // One shell command line, so that hundreds of threads need one process.
  private static final String EACH =
      "cores=$1; shift; for tid; do taskset -c -p \"$cores\" \"$tid\"; done";
  private static final int AT_ONCE = 500;

  private Priorities() {}

  /**
   * Whether a nice level may be lowered here. A capability of a user namespace lets a process raise
   * a nice level and not lower it again; a limit of the shell would not apply to other processes,
   * so the trial gives it away first.
   */
  static boolean mayStrengthen() {
    String said =
        run(
            List.of(
                "prlimit",
                "--nice=0:0",
                "sh",
                "-c",
                "renice -n -20 -p $$ >/dev/null 2>&1 && echo permitted"));
    return said.trim().endsWith("permitted");
  }

  /** Pins all threads of a process; returns the tool's output. */
  static String pinAll(String cpus, long pid) {
    return run(List.of("taskset", "-a", "-c", "-p", cpus, Long.toString(pid)));
  }

  /** Pins some threads; returns the tool's output. */
  static String pin(String cpus, List<Integer> tids) {
    StringBuilder said = new StringBuilder();
    for (List<String> some : chunks(tids)) {
      List<String> line = new ArrayList<>(List.of("sh", "-c", EACH, "manx", cpus));
      line.addAll(some);
      said.append(run(line));
    }
    return said.toString();
  }

  /** Sets the nice level of some threads; returns the tool's output. */
  static String nice(int nice, List<Integer> tids) {
    StringBuilder said = new StringBuilder();
    for (List<String> some : chunks(tids)) {
      List<String> line = new ArrayList<>(List.of("renice", "-n", Integer.toString(nice), "-p"));
      line.addAll(some);
      said.append(run(line));
    }
    return said.toString();
  }

  private static List<List<String>> chunks(List<Integer> tids) {
    List<List<String>> chunks = new ArrayList<>();
    for (int from = 0; from < tids.size(); from += AT_ONCE) {
      chunks.add(
          tids.subList(from, Math.min(tids.size(), from + AT_ONCE)).stream()
              .map(String::valueOf)
              .toList());
    }
    return chunks;
  }

  private static String run(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      // A restore must not stop half-way on an interrupt.
      boolean interrupted = false;
      while (true) {
        try {
          process.waitFor();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return said;
    } catch (IOException e) {
      throw new SqueezeException(
          "cannot run "
              + command.get(0)
              + ": install util-linux, which has taskset and renice (on Debian: sudo apt-get install"
              + " util-linux)",
          e);
    }
  }
}
