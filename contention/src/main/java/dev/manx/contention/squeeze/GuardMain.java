/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import dev.manx.contention.proc.ProcThread;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The process that squeezes and restores. It runs in its own session, separate from the command
 * that started it, with the strongest priority and on all cores: a controller that competed with
 * the boosted threads would never be scheduled to end their boost. It restores everything when the
 * time is over, when its standard input ends (the command has ended, for any reason), on SIGTERM,
 * and when the squeezed process has ended.
 *
 * <p>It prints on standard output, one line each: {@code ready}, then after the line {@code go} on
 * its input {@code pinned}, {@code boosted}, {@code unboosted} and {@code restored}; or {@code
 * refused} with the reason. Times are those of {@code System.nanoTime}, which all processes of a
 * Linux machine share.
 */
public final class GuardMain {
  private static final long CHECK_NANOS = 50_000_000L;
  private static final String GO = "go";
  private static final String END = "end";

  private final SqueezedProcess target;
  private final Squeeze squeeze;
  private final Schedule schedule;
  private final Path folder;
  private final PrintStream out;
  private final BlockingQueue<String> input = new LinkedBlockingQueue<>();
  private Path journal;
  private boolean restored;

  private GuardMain(SqueezedProcess target, Squeeze squeeze, Schedule schedule, Path folder) {
    this.target = target;
    this.squeeze = squeeze;
    this.schedule = schedule;
    this.folder = folder;
    // Not System.out: this is a pipe, not a terminal.
    this.out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
  }

  /** The arguments for a command line that runs {@link #main}. */
  static List<String> arguments(
      SqueezedProcess target, Squeeze squeeze, Schedule schedule, Path folder) {
    return List.of(
        Long.toString(target.pid()),
        Long.toString(target.startTicks()),
        Integer.toString(squeeze.cores()),
        Integer.toString(squeeze.boost()),
        squeeze.threads(),
        Integer.toString(squeeze.nice()),
        Long.toString(schedule.forNanos()),
        Long.toString(schedule.boostFromNanos()),
        Long.toString(schedule.boostForNanos()),
        folder.toString());
  }

  /** Runs with the arguments of {@link #arguments}. */
  public static void main(String[] a) throws InterruptedException {
    new GuardMain(
            new SqueezedProcess(Long.parseLong(a[0]), Long.parseLong(a[1])),
            new Squeeze(
                Integer.parseInt(a[2]), Integer.parseInt(a[3]), a[4], Integer.parseInt(a[5])),
            new Schedule(Long.parseLong(a[6]), Long.parseLong(a[7]), Long.parseLong(a[8])),
            Path.of(a[9]))
        .run();
  }

  private void run() throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(this::restore, "manx-restore"));
    Thread reader = new Thread(this::readInput, "manx-input");
    reader.setDaemon(true);
    reader.start();
    Map<Integer, Long> before = target.ran();
    if (squeeze.boost() > 0 && squeeze.threads().isEmpty()) {
      TimeUnit.NANOSECONDS.sleep(SqueezedProcess.LOOK_NANOS);
    }
    say("ready");
    if (!input.take().equals(GO)) {
      return;
    }
    try {
      squeeze(before);
    } catch (IOException | SqueezeException e) {
      restore();
      say("refused " + e.getMessage());
    }
  }

  /** Reads a line of input, then waits for its end. */
  private void readInput() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        input.add(line);
      }
    } catch (IOException e) {
      // equivalent to its end
    }
    input.add(END);
  }

  private void squeeze(Map<Integer, Long> before) throws IOException, InterruptedException {
    long start = System.nanoTime();
    String cpus = target.pinnedTo(squeeze);
    try (SqueezeJournal written =
        SqueezeJournal.create(
            folder,
            JournalFolders.ofUser().all(),
            target.pid(),
            target.startTicks(),
            cpus,
            squeeze.nice())) {
      synchronized (this) {
        journal = written.file();
      }
      List<ProcThread> threads = target.threads();
      written.originals(threads.stream().map(GuardMain::original).toList());
      if (!cpus.isEmpty()) {
        pin(cpus);
        say("pinned " + System.nanoTime() + " " + threads.size() + " " + cpus);
      }
      boolean goesOn = waitUntil(start + schedule.boostFromNanos());
      if (goesOn && squeeze.boost() > 0) {
        boost(written, threads, before);
        goesOn =
            waitUntil(
                start
                    + Math.min(
                        schedule.forNanos(), schedule.boostFromNanos() + schedule.boostForNanos()));
        if (goesOn && schedule.boostFromNanos() + schedule.boostForNanos() < schedule.forNanos()) {
          Restore.nices(written.file());
          say("unboosted " + System.nanoTime());
        }
      }
      if (goesOn) {
        waitUntil(start + schedule.forNanos());
      }
    }
    restore();
  }

  private synchronized void pin(String cpus) {
    if (restored) {
      return;
    }
    String said = Priorities.pinAll(cpus, target.pid());
    // A thread created while the tool walked the list has its creator's cores.
    if (target.threads().stream().anyMatch(thread -> !thread.cpus().equals(cpus))) {
      said += Priorities.pinAll(cpus, target.pid());
    }
    if (refused(target.threads(), thread -> thread.cpus().equals(cpus))) {
      throw new SqueezeException(
          "taskset did not pin process " + target.pid() + ": " + said.trim());
    }
  }

  private synchronized void boost(
      SqueezeJournal written, List<ProcThread> known, Map<Integer, Long> before)
      throws IOException {
    if (restored || !target.lives()) {
      return;
    }
    List<ProcThread> chosen = target.chosen(squeeze, before);
    if (chosen.isEmpty()) {
      throw new SqueezeException(
          squeeze.threads().isEmpty()
              ? "process "
                  + target.pid()
                  + " has only threads of real-time or idle classes, on which nice levels have no"
                  + " effect"
              : "no thread of process "
                  + target.pid()
                  + " with a nice level that has an effect is called "
                  + squeeze.threads());
    }
    // A thread that was created since then inherited the cores of the squeeze.
    String cpus = SqueezeJournal.read(written.file()).usual().cpus();
    List<Integer> remembered = known.stream().map(ProcThread::tid).toList();
    written.originals(
        chosen.stream()
            .filter(thread -> !remembered.contains(thread.tid()))
            .map(t -> new SqueezeJournal.Original(t.tid(), t.startTicks(), t.nice(), cpus))
            .toList());
    List<Integer> tids = chosen.stream().map(ProcThread::tid).toList();
    written.boosted(tids);
    String said = Priorities.nice(squeeze.nice(), tids);
    List<ProcThread> after =
        target.threads().stream().filter(thread -> tids.contains(thread.tid())).toList();
    if (refused(after, thread -> thread.nice() == squeeze.nice())) {
      throw new SqueezeException("renice was refused: " + said.trim());
    }
    say(
        "boosted "
            + System.nanoTime()
            + " "
            + tids.size()
            + " "
            + String.join(",", chosen.stream().map(ProcThread::name).toList()));
  }

  /**
   * Whether a change had no effect: a thread that should have changed is alive, and none has
   * changed. The threads of a process that is ending vanish one by one, the first thread last.
   */
  static boolean refused(List<ProcThread> asked, Predicate<ProcThread> changed) {
    List<ProcThread> alive = asked.stream().filter(thread -> !thread.ended()).toList();
    return !alive.isEmpty() && alive.stream().noneMatch(changed);
  }

  private static SqueezeJournal.Original original(ProcThread thread) {
    return new SqueezeJournal.Original(
        thread.tid(), thread.startTicks(), thread.nice(), thread.cpus());
  }

  /** Returns whether this time came before the end of the input and of the target. */
  private boolean waitUntil(long nanoTime) throws InterruptedException {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      String line = input.poll(Math.min(left, CHECK_NANOS), TimeUnit.NANOSECONDS);
      if (END.equals(line) || !target.lives()) {
        return false;
      }
    }
    return true;
  }

  /** Runs once, at the end of the squeeze or of this process, whichever comes first. */
  private synchronized void restore() {
    if (journal == null || restored) {
      return;
    }
    try {
      Restore done = Restore.of(journal);
      restored = true;
      say(
          "restored "
              + System.nanoTime()
              + " "
              + done.cores()
              + " "
              + done.nices()
              + " "
              + done.ended());
    } catch (IOException | SqueezeException e) {
      say("failed " + e.getMessage());
    }
  }

  /** A closed reader is no reason to stop. */
  private synchronized void say(String line) {
    out.println(line.replace('\n', ' '));
  }
}
