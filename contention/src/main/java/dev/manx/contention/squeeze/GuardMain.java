/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import dev.manx.contention.proc.Proc;
import dev.manx.contention.proc.ProcThread;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The process that squeezes and restores. {@link Squeezer} starts it in its own session, separate
 * from the command, with the strongest priority and on all cores that its control group permits: a
 * controller that competed with the boosted threads would never be scheduled to end their boost. It
 * restores everything when the time is over, when its standard input ends (the command has ended,
 * for any reason), on SIGTERM, and when the squeezed process has ended.
 *
 * <p>It prints on standard output, one line each: {@code ready}, then after the line {@code go} on
 * its input {@code pinned}, {@code boosted}, {@code unboosted} and {@code restored}; {@code partly}
 * with the threads that could not be squeezed, {@code retrying} with the reason if restoring takes
 * long, and {@code failed} if it is impossible; or {@code refused} with the reason. Times are those
 * of {@code System.nanoTime}, which all processes of a Linux machine share.
 */
public final class GuardMain {
  private static final long CHECK_NANOS = 50_000_000L;
  private static final String GO = "go";
  private static final String END = "end";
  private static final int PIN_PASSES = 5;
  private static final int NAMES_SHOWN = 12;

  private final SqueezedProcess target;
  private final Squeeze squeeze;
  private final Schedule schedule;
  private final Path folder;
  private final PrintStream out;
  private final BlockingQueue<String> input = new LinkedBlockingQueue<>();
  private SqueezeJournal journal;
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
    try {
      Rehearsal.restore(folder);
    } catch (IOException | SqueezeException e) {
      say("refused " + e.getMessage());
      return;
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
    if (!target.lives()) {
      // Its id may have been reused: another process is not squeezed.
      say(restored(new Restore(0, 0, true)));
      return;
    }
    try (SqueezeJournal written =
        SqueezeJournal.create(
            folder,
            JournalFolders.ofUser().all(),
            target.pid(),
            target.startTicks(),
            cpus,
            squeeze.nice())) {
      synchronized (this) {
        journal = written;
      }
      List<ProcThread> threads = target.threads();
      if (target.lives()) {
        written.originals(threads.stream().map(GuardMain::original).toList());
      }
      if (!cpus.isEmpty()) {
        pin(written, cpus);
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
          new Restorer(written.content()).nices();
          say("unboosted " + System.nanoTime());
        }
      }
      if (goesOn) {
        waitUntil(start + schedule.forNanos());
      }
    }
    restore();
  }

  private synchronized void pin(SqueezeJournal written, String cpus) {
    if (restored || !target.lives()) {
      return;
    }
    Priorities.Outcome outcome = Priorities.pinAll(cpus, target.pid());
    Predicate<ProcThread> pinned = thread -> thread.cpus().equals(cpus);
    // Created while the tool walked the list, or behind the thread at which it stopped.
    for (int pass = 0; pass < PIN_PASSES; pass++) {
      List<Integer> rest =
          alive(target.threads()).stream()
              .filter(pinned.negate())
              .filter(thread -> !thread.fixed())
              .map(ProcThread::tid)
              .toList();
      if (rest.isEmpty()) {
        break;
      }
      outcome = Priorities.pin(cpus, rest);
    }
    if (!target.lives()) {
      // It ended meanwhile. If its id was reused, another process has been pinned.
      Proc.process(target.pid())
          .map(other -> written.content().ofProcess(other.startTicks()))
          .ifPresent(content -> new Restorer(content).all());
      return;
    }
    List<ProcThread> asked = target.threads();
    if (refused(asked, pinned)) {
      throw new SqueezeException(
          "taskset did not pin process " + target.pid() + ": " + outcome.said().trim());
    }
    say("pinned " + System.nanoTime() + " " + changed(asked, pinned).size() + " " + cpus);
    sayRest("not pinned", asked, pinned, outcome);
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
    String cpus = written.content().usual().cpus();
    List<Integer> remembered = known.stream().map(ProcThread::tid).toList();
    written.originals(
        chosen.stream()
            .filter(thread -> !remembered.contains(thread.tid()))
            .map(t -> new SqueezeJournal.Original(t.tid(), t.startTicks(), t.nice(), cpus))
            .toList());
    List<Integer> tids = chosen.stream().map(ProcThread::tid).toList();
    written.boosted(tids);
    Priorities.Outcome outcome = Priorities.nice(squeeze.nice(), tids);
    Predicate<ProcThread> boosted = thread -> thread.nice() == squeeze.nice();
    List<ProcThread> asked =
        target.threads().stream().filter(thread -> tids.contains(thread.tid())).toList();
    if (refused(asked, boosted)) {
      throw new SqueezeException("renice was refused: " + outcome.said().trim());
    }
    List<ProcThread> changed = changed(asked, boosted);
    say(
        "boosted "
            + System.nanoTime()
            + " "
            + changed.size()
            + " "
            + String.join(",", changed.stream().map(ProcThread::name).toList()));
    sayRest("not boosted", asked, boosted, outcome);
  }

  private static List<ProcThread> changed(List<ProcThread> asked, Predicate<ProcThread> changed) {
    return alive(asked).stream().filter(changed).toList();
  }

  private static List<ProcThread> alive(List<ProcThread> threads) {
    return threads.stream().filter(thread -> !thread.ended()).toList();
  }

  private void sayRest(
      String what,
      List<ProcThread> asked,
      Predicate<ProcThread> changed,
      Priorities.Outcome outcome) {
    List<String> rest =
        changed(asked, changed.negate()).stream()
            .map(thread -> thread.name() + " (" + thread.tid() + ")")
            .toList();
    if (!rest.isEmpty()) {
      say(
          "partly "
              + what
              + ": "
              + String.join(", ", rest.subList(0, Math.min(NAMES_SHOWN, rest.size())))
              + (rest.size() > NAMES_SHOWN ? " and " + (rest.size() - NAMES_SHOWN) + " more" : "")
              + (outcome.done() ? "" : "; " + outcome.lastLine()));
    }
  }

  /**
   * Whether a change had no effect: a thread that should have changed is alive, and none has
   * changed. The threads of a process that is ending vanish one by one, the first thread last.
   */
  static boolean refused(List<ProcThread> asked, Predicate<ProcThread> changed) {
    List<ProcThread> alive = alive(asked);
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

  /**
   * Runs once, at the end of the squeeze or of this process, whichever comes first. It needs no
   * file: the journal may have been deleted.
   */
  private synchronized void restore() {
    if (journal == null || restored) {
      return;
    }
    try {
      Restore done =
          new Restorer(journal.content()).persistently(reason -> say("retrying " + reason));
      restored = true;
      deleteJournal();
      say(restored(done));
    } catch (Throwable e) {
      // The command tries it next, by the journal.
      say("failed " + e + ". " + Restore.advice(journal.file()));
    }
  }

  private void deleteJournal() {
    try {
      Files.deleteIfExists(journal.file());
    } catch (IOException e) {
      say("the journal " + journal.file() + " could not be deleted: " + e.getMessage());
    }
  }

  private static String restored(Restore done) {
    return "restored "
        + System.nanoTime()
        + " "
        + done.cores()
        + " "
        + done.nices()
        + " "
        + done.ended();
  }

  /** A closed reader is no reason to stop. */
  private synchronized void say(String line) {
    out.println(line.replace('\n', ' '));
  }
}
