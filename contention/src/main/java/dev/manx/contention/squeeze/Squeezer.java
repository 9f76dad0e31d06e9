/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import dev.manx.contention.proc.Proc;
import dev.manx.policy.config.JvmEnvironment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * One squeeze of one process, performed by a separate guard process. Nothing stays squeezed:
 * closing this object, or any end of this JVM, ends the guard's standard input, and the guard
 * restores everything. If the guard is killed, this object restores by the guard's journal. If both
 * are killed, {@link #restoreAll} does.
 *
 * <p>Call {@link #prepare} and {@link #go} from one thread; the other methods are thread-safe.
 */
public final class Squeezer implements AutoCloseable {
  // The command may be confined to few cores.
  private static final String FREE = "taskset -c -p \"$1\" $$ >/dev/null 2>&1; shift; ";
  // nice is relative to our own level, and limited to -20. With autogroup, each session has its own
  // nice level, which counts against other sessions.
  private static final String STRONG =
      FREE + "echo -20 2>/dev/null >/proc/self/autogroup; exec nice -n -40 \"$@\"";
  private static final String PLAIN = FREE + "exec \"$@\"";
  private static final int KEPT_LINES = 5;

  private final SqueezedProcess target;
  private final Path folder;
  private final Process guard;
  private final BufferedReader said;
  private final Consumer<String> listener;
  private final StringBuilder error = new StringBuilder();
  private String failure = "";
  private final Deque<String> otherWords = new ArrayDeque<>();
  private SqueezeReport report = SqueezeReport.NOTHING;
  private volatile boolean begun;
  private boolean over;

  private Squeezer(SqueezedProcess target, Path folder, Process guard, Consumer<String> listener) {
    this.target = target;
    this.folder = folder;
    this.guard = guard;
    this.listener = listener;
    this.said =
        new BufferedReader(new InputStreamReader(guard.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The folder of this user's journals. */
  public static Path folder() {
    return JournalFolders.ofUser().own();
  }

  /** The journal of a squeeze in a folder, while it lasts. */
  public static Path journal(Path folder, long pid) {
    return SqueezeJournal.file(folder, pid);
  }

  /**
   * Starts the guard and waits until it is ready; nothing is squeezed yet.
   *
   * @param listener receives the guard's lines, on the thread that calls {@link #go} and {@link
   *     #await}
   * @throws SqueezeException if the guard does not start, or could not restore anything here
   */
  public static Squeezer prepare(
      SqueezedProcess target,
      Squeeze squeeze,
      Schedule schedule,
      Path folder,
      Consumer<String> listener) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "setsid",
                "sh",
                "-c",
                Proc.maySetPriorities() ? STRONG : PLAIN,
                "manx",
                Proc.possibleCores(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                GuardMain.class.getName()));
    command.addAll(GuardMain.arguments(target, squeeze, schedule, folder));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeAll(JvmEnvironment.VARIABLES);
    rehearse(folder);
    try {
      Squeezer squeezer = new Squeezer(target, folder, builder.start(), listener);
      squeezer.readUntil("ready");
      return squeezer;
    } catch (IOException e) {
      throw new SqueezeException(
          "cannot start the guard: " + e.getMessage() + "; it needs setsid of util-linux", e);
    }
  }

  /** This JVM restores if the guard cannot. */
  private static void rehearse(Path folder) {
    try {
      Rehearsal.restore(folder);
    } catch (IOException e) {
      throw new SqueezeException(
          "cannot write a journal in " + folder + ", or cannot start a process: " + e.getMessage(),
          e);
    }
  }

  /** Begins the squeeze; returns at once. */
  public void go() {
    begun = true;
    try {
      OutputStream in = guard.getOutputStream();
      in.write("go\n".getBytes(StandardCharsets.UTF_8));
      in.flush();
    } catch (IOException e) {
      throw new SqueezeException("the guard has ended" + words(), e);
    }
  }

  /**
   * Waits until everything is restored, at the end of its time or after {@link #close}.
   *
   * @throws SqueezeException if the squeeze failed or could not be undone
   */
  public synchronized SqueezeReport await() {
    if (!over) {
      readUntil(null);
      over = true;
      if (report.restoredNanos() == 0) {
        repair();
      }
      if (report.restoredNanos() == 0) {
        error.append(failure);
      }
      if (begun && report.restoredNanos() == 0 && error.length() == 0) {
        error.append("the guard has ended before it squeezed anything").append(words());
      }
    }
    if (error.length() > 0) {
      throw new SqueezeException(error.toString());
    }
    return report;
  }

  /** Ends the squeeze early; the guard then restores everything. Returns at once. */
  public void end() {
    try {
      guard.getOutputStream().close();
    } catch (IOException e) {
      // The guard has ended, which await detects.
    }
  }

  /** Ends the squeeze and waits until everything is restored. */
  @Override
  public void close() {
    end();
    await();
  }

  /** Restores from the journal of a guard that was killed or failed. */
  private void repair() {
    Path journal = SqueezeJournal.file(folder, target.pid());
    try {
      if (!Files.exists(journal) || SqueezeJournal.read(journal).guardPid() != guard.pid()) {
        return;
      }
      Restore restore = Restore.of(journal);
      report =
          report.with(
              "restored "
                  + System.nanoTime()
                  + " "
                  + restore.cores()
                  + " "
                  + restore.nices()
                  + " "
                  + restore.ended());
      listener.accept(
          "the guard "
              + (failure.isEmpty() ? "was killed" : "could not restore (" + failure + ")")
              + "; restored from its journal");
    } catch (SqueezeException e) {
      throw e;
    } catch (Throwable e) {
      throw new SqueezeException(
          "could not restore process " + target.pid() + ": " + e + ". " + Restore.advice(journal),
          e);
    }
  }

  private void readUntil(String word) {
    try {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        String first = line.split(" ", 2)[0];
        if (first.equals("refused")) {
          error.append(line.substring(first.length()).trim());
        } else if (first.equals("failed")) {
          failure = line.substring(first.length()).trim();
        } else {
          SqueezeReport before = report;
          report = report.with(line);
          if (report == before && !first.equals("ready")) {
            heard(line);
          }
          listener.accept(line);
        }
        if (first.equals(word)) {
          return;
        }
      }
    } catch (IOException e) {
      // Equivalent to the end of its output.
    }
    if (word != null) {
      throw new SqueezeException("the guard did not start" + words());
    }
  }

  /** Keeps the last lines that are none of the guard's own, such as those of its JVM. */
  private void heard(String line) {
    otherWords.add(line);
    if (otherWords.size() > KEPT_LINES) {
      otherWords.remove();
    }
  }

  private String words() {
    String all = error + String.join("\n  ", otherWords);
    return all.isEmpty() ? "; it printed nothing" : ":\n  " + all;
  }

  /**
   * The outcome for one journal.
   *
   * @param pid the process
   * @param journal its file
   * @param atWork whether its guard is still running, so that it was left alone
   * @param restore restored settings; null if left alone or failed
   * @param failure reason of a failure; null without one
   */
  public record Repaired(
      String pid, Path journal, boolean atWork, Restore restore, String failure) {}

  /** Restores squeezes whose guards were killed, by the journals of some folders. */
  public static List<Repaired> restoreAll(List<Path> folders) {
    List<Repaired> all = new ArrayList<>();
    for (Path folder : folders) {
      try {
        SqueezeJournal.all(folder).forEach(journal -> all.add(restored(journal)));
      } catch (IOException e) {
        all.add(new Repaired("of " + folder, folder, false, null, "cannot be read: " + e));
      }
    }
    return all;
  }

  private static Repaired restored(Path journal) {
    String pid = journal.getFileName().toString().replaceFirst("\\..*", "");
    try {
      return SqueezeJournal.isAbandoned(journal)
          ? new Repaired(pid, journal, false, Restore.ofNothing(journal), null)
          : SqueezeJournal.read(journal).guardLives()
              ? new Repaired(pid, journal, true, null, null)
              : new Repaired(pid, journal, false, Restore.of(journal), null);
    } catch (IOException | SqueezeException e) {
      return new Repaired(pid, journal, false, null, e.getMessage());
    }
  }
}
