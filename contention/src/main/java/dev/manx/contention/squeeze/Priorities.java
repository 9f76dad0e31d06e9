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
  // One shell command line, so that hundreds of threads need one start of a process.
  private static final String EACH =
      "cores=$1; shift; code=0; for tid; do taskset -c -p \"$cores\" \"$tid\" || code=1; done;"
          + " exit $code";
  private static final int AT_ONCE = 500;
  private static final String MISSING = "error=2,";

  /**
   * How a tool ended.
   *
   * @param started whether it could be started
   * @param done whether it succeeded for every thread
   * @param said its output, or why it could not be started
   */
  record Outcome(boolean started, boolean done, String said) {
    /** Of no work. */
    static final Outcome NOTHING = new Outcome(true, true, "");

    /** This one, followed by another. */
    Outcome and(Outcome next) {
      return new Outcome(started && next.started, done && next.done, said + next.said);
    }

    /** The last line of the output, for a message. */
    String lastLine() {
      return said.lines().filter(line -> !line.isBlank()).reduce("", (all, line) -> line).trim();
    }
  }

  private Priorities() {}

  /**
   * Whether a nice level may be lowered here. A capability of a user namespace lets a process raise
   * a nice level and not lower it again; a limit of the shell would not apply to other processes,
   * so the trial gives it away first.
   */
  static boolean mayStrengthen() {
    Outcome trial =
        run(
            List.of(
                "prlimit",
                "--nice=0:0",
                "sh",
                "-c",
                "renice --priority -20 -p $$ >/dev/null 2>&1"));
    if (!trial.started()) {
      throw new SqueezeException(trial.said().trim());
    }
    return trial.done();
  }

  /** Pins all threads of a process; it stops at the first thread for which this fails. */
  static Outcome pinAll(String cpus, long pid) {
    return run(List.of("taskset", "-a", "-c", "-p", cpus, Long.toString(pid)));
  }

  /** Pins some threads. */
  static Outcome pin(String cpus, List<Integer> tids) {
    return each(List.of("sh", "-c", EACH, "manx", cpus), tids);
  }

  /** Sets the nice level of some threads. */
  static Outcome nice(int nice, List<Integer> tids) {
    // With -n, the level is relative where POSIXLY_CORRECT is set (since util-linux 2.39).
    return each(List.of("renice", "--priority", Integer.toString(nice), "-p"), tids);
  }

  private static Outcome each(List<String> command, List<Integer> tids) {
    Outcome all = Outcome.NOTHING;
    for (List<String> some : chunks(tids)) {
      List<String> line = new ArrayList<>(command);
      line.addAll(some);
      all = all.and(run(line));
    }
    return all;
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

  private static Outcome run(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    builder.environment().remove("POSIXLY_CORRECT");
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
      return new Outcome(true, process.exitValue() == 0, said);
    } catch (IOException | OutOfMemoryError e) {
      // Java needs a thread that waits for the process; without one it throws this error.
      return new Outcome(false, false, unstarted(command.get(0), e.getMessage()));
    }
  }

  private static String unstarted(String tool, String why) {
    return "cannot run "
        + tool
        + ": "
        + why
        + (why != null && why.contains(MISSING)
            ? "; install util-linux, which has taskset and renice (on Debian: sudo apt-get install"
                + " util-linux)"
            : "")
        + "\n";
  }
}
