/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import dev.manx.contention.proc.Proc;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One squeeze of one process, done by a guard process of its own. Nothing stays squeezed: closing
 * this, or the end of this JVM in any way, ends the guard's standard input and the guard gives
 * everything back; should the guard be killed, this does it by the guard's journal; should both be
 * killed, {@link #restoreAll} does.
 *
 * <p>{@link #prepare} and {@link #go} from one thread; the others from any.
 */
public final class Squeezer implements AutoCloseable {
  // nice is relative to our own level, and cut off at -20. Where sessions have a nice level of
  // their
  // own (autogroup), that one counts against other sessions.
  private static final String STRONG =
      "echo -20 2>/dev/null >/proc/self/autogroup; exec nice -n -40 \"$@\"";
  private static final String PLAIN = "exec \"$@\"";

  private final Target target;
  private final Path folder;
  private final Process guard;
  private final BufferedReader said;
  private final Consumer<String> listener;
  private final StringBuilder error = new StringBuilder();
  private SqueezeReport report = SqueezeReport.NOTHING;
  private boolean over;

  private Squeezer(Target target, Path folder, Process guard, Consumer<String> listener) {
    this.target = target;
    this.folder = folder;
    this.guard = guard;
    this.listener = listener;
    this.said =
        new BufferedReader(new InputStreamReader(guard.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Where journals are kept: below {@code /run}, which is empty after a boot just as all priorities
   * are stock then; without the right to write there, below the user's home.
   */
  public static Path folder() {
    Path run = Path.of("/run");
    return Files.isWritable(run)
        ? run.resolve("manx")
        : Path.of(System.getProperty("user.home"), ".local", "state", "manx");
  }

  /**
   * Starts the guard and returns when it is ready; nothing is squeezed yet.
   *
   * @param listener gets the guard's lines, on the thread that calls {@link #go} and {@link #await}
   * @throws SqueezeException if the guard does not come up
   */
  public static Squeezer prepare(
      Target target, Squeeze squeeze, Schedule schedule, Path folder, Consumer<String> listener) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "setsid",
                "sh",
                "-c",
                Proc.maySetPriorities() ? STRONG : PLAIN,
                "manx",
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
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    try {
      Squeezer squeezer = new Squeezer(target, folder, builder.start(), listener);
      squeezer.readUntil("ready");
      return squeezer;
    } catch (IOException e) {
      throw new SqueezeException(
          "cannot start the guard: " + e.getMessage() + "; it needs setsid of util-linux", e);
    }
  }

  /** Begins; returns at once. */
  public void go() {
    try {
      OutputStream in = guard.getOutputStream();
      in.write("go\n".getBytes(StandardCharsets.UTF_8));
      in.flush();
    } catch (IOException e) {
      throw new SqueezeException("the guard has ended: " + error, e);
    }
  }

  /**
   * Waits until everything was given back, after its time or after {@link #close}.
   *
   * @throws SqueezeException if it could not be done, or not be undone
   */
  public synchronized SqueezeReport await() {
    if (!over) {
      readUntil(null);
      over = true;
      if (report.restoredNanos() == 0) {
        repair();
      }
    }
    if (error.length() > 0) {
      throw new SqueezeException(error.toString());
    }
    return report;
  }

  /** Ends it early; the guard then gives everything back. Returns at once. */
  public void end() {
    try {
      guard.getOutputStream().close();
    } catch (IOException e) {
      // The guard is gone, which await finds out.
    }
  }

  /** Ends it and waits until everything was given back. */
  @Override
  public void close() {
    end();
    await();
  }

  /** The guard was killed: what it wrote down is still to be undone. */
  private void repair() {
    Path journal = Journal.file(folder, target.pid());
    try {
      if (!Files.exists(journal) || Journal.read(journal).guardPid() != guard.pid()) {
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
      listener.accept("the guard was killed; restored from its journal");
    } catch (IOException e) {
      throw new SqueezeException("cannot read " + journal + ": " + e.getMessage(), e);
    }
  }

  private void readUntil(String word) {
    try {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        String first = line.split(" ", 2)[0];
        if (first.equals("refused") || first.equals("failed")) {
          error.append(line.substring(first.length()).trim());
        } else {
          report = report.with(line);
          listener.accept(line);
        }
        if (first.equals(word)) {
          return;
        }
      }
    } catch (IOException e) {
      // The same as the end of what it says.
    }
    if (word != null) {
      throw new SqueezeException("the guard did not start: " + error);
    }
  }

  /**
   * The outcome of one journal.
   *
   * @param pid the process
   * @param atWork whether its guard still runs, and it was therefore left alone
   * @param restore what was given back; null if left alone or failed
   * @param failure why it failed; null if it did not
   */
  public record Repaired(String pid, boolean atWork, Restore restore, String failure) {}

  /** Gives back what squeezes have left behind whose guards were killed. */
  public static List<Repaired> restoreAll(Path folder) throws IOException {
    List<Repaired> all = new ArrayList<>();
    for (Path journal : Journal.all(folder)) {
      String pid = journal.getFileName().toString().replaceFirst("\\..*", "");
      try {
        all.add(
            Journal.read(journal).guardLives()
                ? new Repaired(pid, true, null, null)
                : new Repaired(pid, false, Restore.of(journal), null));
      } catch (IOException | SqueezeException e) {
        all.add(new Repaired(pid, false, null, e.getMessage()));
      }
    }
    return all;
  }
}
