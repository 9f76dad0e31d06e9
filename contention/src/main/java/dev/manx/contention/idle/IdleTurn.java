/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

import dev.manx.contention.proc.Scratch;
import dev.manx.contention.squeeze.Schedule;
import dev.manx.contention.squeeze.Squeeze;
import dev.manx.contention.squeeze.SqueezeException;
import dev.manx.contention.squeeze.SqueezeKind;
import dev.manx.contention.squeeze.SqueezeReport;
import dev.manx.contention.squeeze.SqueezedProcess;
import dev.manx.contention.squeeze.Squeezer;
import dev.manx.policy.config.JvmEnvironment;
import dev.manx.policy.idle.ThreadWaiter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Runs one strategy in one case: a fresh worker process, squeezed from outside like any server. The
 * measured window and all its times are measured by the worker; each operation starts at its due
 * time, regardless of earlier answers.
 */
public final class IdleTurn {
  // Time from the start command to the first operation, in which the guard should pin every thread.
  private static final long LEAD_NANOS = 200_000_000L;
  private static final long GRACE_SECONDS = 20;

  private final WaitingLoad load;
  private final Squeeze squeeze;
  private final Path folder;

  /**
   * Creates a runner for turns of one kind.
   *
   * @param squeeze cores, number of boosted threads and their nice level; not their names
   * @param folder folder for files during a turn
   */
  public IdleTurn(WaitingLoad load, Squeeze squeeze, Path folder) {
    this.load = load;
    this.squeeze = squeeze;
    this.folder = folder;
  }

  /**
   * Runs a turn; blocking.
   *
   * @param idle the strategy in the form of {@code IdleSpec.written}
   * @param edges receives the worker's process id when the window begins and when it ends
   * @throws SqueezeException if the threads cannot be squeezed, or were not as the case demands
   */
  public IdleResult run(String idle, SqueezeKind which, long seed, LongConsumer edges)
      throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create(folder, "turn-")) {
      Path out = scratch.folder().resolve("operations");
      Path log = scratch.folder().resolve("safepoints.log");
      Process worker = scratch.start(worker(idle, seed, out, log));
      return run(worker, which, out, log, edges);
    }
  }

  private ProcessBuilder worker(String idle, long seed, Path out, Path log) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms128m",
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                Safepoints.OPTION.formatted(log),
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName()));
    command.addAll(WorkerMain.arguments(idle, load, squeeze.boost(), seed, out));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().keySet().removeAll(JvmEnvironment.VARIABLES);
    return builder;
  }

  private IdleResult run(Process worker, SqueezeKind which, Path out, Path log, LongConsumer edges)
      throws IOException, InterruptedException {
    BufferedReader said = worker.inputReader(StandardCharsets.UTF_8);
    List<String> guard = new ArrayList<>();
    // The guard starts while the worker does.
    Squeezer squeezer = which.pins() ? squeezer(worker.pid(), which, guard::add) : null;
    try {
      String ready = said.readLine();
      if (ready == null || !ready.startsWith("ready ")) {
        throw new SqueezeException("the worker did not start; its output: " + ready);
      }
      String[] words = ready.split(" ", -1);
      // The worker's age at a clock time; its safepoint log uses the age.
      long bornNanos = Long.parseLong(words[1]) - Long.parseLong(words[2]) * 1_000_000;
      // The guard counts from its start command, which comes later, so it never boosts too early.
      long start = System.nanoTime() + LEAD_NANOS;
      if (squeezer != null) {
        squeezer.go();
      }
      OutputStream in = worker.getOutputStream();
      in.write((start + "\n").getBytes(StandardCharsets.UTF_8));
      in.flush();
      long windowStart = start + load.warmUpNanos();
      long windowEnd = windowStart + load.windowNanos();
      waitUntil(windowStart);
      edges.accept(worker.pid());
      waitUntil(windowEnd);
      edges.accept(worker.pid());
      long most = GRACE_SECONDS + TimeUnit.NANOSECONDS.toSeconds(load.drainNanos());
      if (!worker.waitFor(most, TimeUnit.SECONDS) || worker.exitValue() != 0) {
        throw new SqueezeException("the worker did not end properly; it was stopped");
      }
      SqueezeReport report = null;
      if (squeezer != null) {
        squeezer.end();
        report = squeezer.await();
        check(report, guard, which, squeeze.boost(), windowStart);
      }
      return new IdleResult(
          WorkerResult.read(out),
          load,
          windowStart,
          report,
          Safepoints.read(log, windowStart - bornNanos, windowEnd - bornNanos));
    } finally {
      if (squeezer != null) {
        squeezer.close();
      }
    }
  }

  /**
   * Checks that the case was what its name says; otherwise an arm would look safe that was never
   * squeezed.
   *
   * @param lines all lines of the guard
   * @param boost number of threads that were to be boosted
   * @param windowStart when the window began
   * @throws SqueezeException if not
   */
  static void check(
      SqueezeReport report, List<String> lines, SqueezeKind which, int boost, long windowStart) {
    String problem =
        lines.stream().filter(line -> line.startsWith("partly ")).findFirst().orElse("");
    if (!problem.isEmpty()) {
      // in the guard's words
    } else if (report.pinnedNanos() == 0) {
      problem = "no thread was pinned";
    } else if (report.pinnedNanos() > windowStart) {
      problem = "the threads were pinned only after the start of the window: use a longer warm-up";
    } else if (which.boosts() && report.boosted() < boost) {
      problem = report.boosted() + " of " + boost + " threads got their nice level";
    } else if (which == SqueezeKind.PINNED_NICE && report.unboostedNanos() == 0) {
      problem = "the threads never lost their nice level";
    }
    if (!problem.isEmpty()) {
      throw new SqueezeException(
          "case " + which.label() + " was not squeezed as intended: " + problem);
    }
  }

  private Squeezer squeezer(long pid, SqueezeKind which, Consumer<String> listener) {
    Squeeze own =
        which.boosts()
            ? new Squeeze(
                squeeze.cores(), squeeze.boost(), WorkerMain.BOOSTED + "*", squeeze.nice())
            : new Squeeze(squeeze.cores(), 0, "", squeeze.nice());
    long from = which.fromNanos(load.windowNanos());
    Schedule schedule =
        from < 0
            ? Schedule.of(Schedule.MOST_NANOS)
            : new Schedule(
                Schedule.MOST_NANOS,
                LEAD_NANOS + load.warmUpNanos() + from,
                which.toNanos(load.windowNanos()) - from);
    return Squeezer.prepare(
        SqueezedProcess.check(pid, own), own, schedule, Squeezer.folder(), listener);
  }

  private static void waitUntil(long nanoTime) throws InterruptedException {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      ThreadWaiter.INSTANCE.park(left);
      if (Thread.interrupted()) {
        throw new InterruptedException("the turn was interrupted");
      }
    }
  }
}
