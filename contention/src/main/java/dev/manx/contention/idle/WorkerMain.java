/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.idle.ThreadWaiter;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.IdleSpec;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The squeezed process: threads that perform operations and sometimes wait for each other. It
 * prints {@code ready} with its time and age, begins at the time that it reads from its input, and
 * writes its raw results to a file. It always ends itself, even with stuck threads.
 */
public final class WorkerMain {
  /** Name prefix of the threads that may be boosted. */
  static final String BOOSTED = "boosted-";

  private static final String OTHERS = "waiter-";
  private static final long PRIMING_NANOS = 250_000_000L;
  private static final long POLL_NANOS = 2_000_000L;
  private static final long JOIN_MILLIS = 2_000;

  private WorkerMain() {}

  /** The arguments for a command line that runs {@link #main}. */
  static List<String> arguments(String idle, WaitingLoad load, int boosted, long seed, Path out) {
    return List.of(
        idle,
        Integer.toString(load.threads()),
        Double.toString(load.perSecond()),
        Long.toString(load.workNanos()),
        Long.toString(load.holdNanos()),
        Long.toString(load.warmUpNanos()),
        Long.toString(load.windowNanos()),
        Long.toString(load.drainNanos()),
        Integer.toString(boosted),
        Long.toString(seed),
        out.toString());
  }

  /** Runs with the arguments of {@link #arguments}. */
  public static void main(String[] a) throws IOException, InterruptedException {
    WaitingLoad load =
        new WaitingLoad(
            Integer.parseInt(a[1]),
            Double.parseDouble(a[2]),
            Long.parseLong(a[3]),
            Long.parseLong(a[4]),
            Long.parseLong(a[5]),
            Long.parseLong(a[6]),
            Long.parseLong(a[7]));
    IdleSpec idle =
        IdleSpec.read(
            ConfigNode.parse("arguments", "idle: " + a[0]).at("idle"),
            Host.harness(System::nanoTime));
    Ids ids = new Ids(load.threads());
    List<WaitingThread> threads = threads(load, idle, ids, Integer.parseInt(a[8]), a[9]);
    threads.forEach(Thread::start);
    ThreadWaiter.INSTANCE.park(PRIMING_NANOS);
    // Not System.out: this is a pipe, not a terminal.
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    out.println("ready " + System.nanoTime() + " " + ageMillis());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line = in.readLine();
    if (line == null) {
      Runtime.getRuntime().halt(1);
    }
    long start = Long.parseLong(line);
    threads.forEach(thread -> thread.begin(start));
    waitForAll(threads, start + load.warmUpNanos() + load.windowNanos() + load.drainNanos());
    threads.forEach(WaitingThread::finish);
    ids.stop();
    for (WaitingThread thread : threads) {
      thread.join(JOIN_MILLIS);
    }
    WorkerResult.write(Path.of(a[10]), threads);
    out.println("done");
    Runtime.getRuntime().halt(0);
  }

  private static long ageMillis() {
    return ManagementFactory.getRuntimeMXBean().getUptime();
  }

  private static List<WaitingThread> threads(
      WaitingLoad load, IdleSpec idle, Ids ids, int boosted, String seed) {
    Work work = Work.measured();
    List<WaitingThread> threads = new ArrayList<>();
    for (int i = 0; i < load.threads(); i++) {
      threads.add(
          new WaitingThread(
              (i < boosted ? BOOSTED : OTHERS) + i,
              i,
              ids,
              idle.newStrategy(),
              work.copy(),
              load,
              Long.parseLong(seed)));
    }
    return threads;
  }

  private static void waitForAll(List<WaitingThread> threads, long deadlineNanos) {
    while (threads.stream().anyMatch(Thread::isAlive) && System.nanoTime() - deadlineNanos < 0) {
      ThreadWaiter.INSTANCE.park(POLL_NANOS);
    }
  }
}
