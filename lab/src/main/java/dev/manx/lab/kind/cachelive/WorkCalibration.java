/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.IntFunction;

/** Calibrates work by CPU time, so that a busy machine does not affect it. */
final class WorkCalibration {
  private static final int MOST = 1 << 20;
  private static final long WARM_UP_NANOS = 300_000_000L;
  private static final int SAMPLES = 15;

  private WorkCalibration() {}

  /**
   * The number of rounds of some work that takes a given time.
   *
   * @param work runs the given number of rounds, and returns a result that depends on them
   * @return at least 1
   */
  static int rounds(long nanos, IntFunction<Object> work) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long seen = 0;
    long begin = threads.getCurrentThreadCpuTime();
    // Long enough for the JIT compiler to finish.
    while (threads.getCurrentThreadCpuTime() - begin < WARM_UP_NANOS) {
      seen += System.identityHashCode(work.apply(4));
    }
    int rounds = 1;
    while (rounds < MOST && cpu(threads, work, rounds) < nanos) {
      rounds *= 2;
    }
    long best = Long.MAX_VALUE;
    for (int i = 0; i < SAMPLES; i++) {
      best = Math.min(best, cpu(threads, work, rounds));
    }
    return seen == 0 ? 1 : (int) Math.max(1, Math.round(rounds * (double) nanos / best));
  }

  private static long cpu(ThreadMXBean threads, IntFunction<Object> work, int rounds) {
    long begin = threads.getCurrentThreadCpuTime();
    Object made = work.apply(rounds);
    return made == null ? 1 : Math.max(1, threads.getCurrentThreadCpuTime() - begin);
  }
}
