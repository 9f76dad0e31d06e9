/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.watch;

import dev.manx.contention.proc.ProcThread;

/**
 * The activity of one thread between two samples, as fractions of the time between them, 0 to 1.
 *
 * @param now the thread at the second sample
 * @param ran fraction of the time on a core
 * @param waited fraction of the time runnable without a core
 * @param voluntaryPerSecond times per second that it left the core to wait
 * @param involuntaryPerSecond times per second that it was taken off the core, or yielded
 */
public record ThreadUse(
    ProcThread now,
    double ran,
    double waited,
    double voluntaryPerSecond,
    double involuntaryPerSecond) {
  /** Fraction of the time in which it was running or runnable. */
  public double wanted() {
    return ran + waited;
  }

  static ThreadUse between(ProcThread before, ProcThread after, long nanos) {
    double seconds = nanos / 1e9;
    return new ThreadUse(
        after,
        share(after.ranNanos() - before.ranNanos(), nanos),
        starved(before, after) ? 1 : share(after.waitedNanos() - before.waitedNanos(), nanos),
        (after.voluntarySwitches() - before.voluntarySwitches()) / seconds,
        (after.involuntarySwitches() - before.involuntarySwitches()) / seconds);
  }

  /**
   * The kernel records a wait only when it ends: a thread that got no core at all has none
   * recorded.
   */
  private static boolean starved(ProcThread before, ProcThread after) {
    return before.state() == 'R' && after.state() == 'R' && before.ranNanos() == after.ranNanos();
  }

  /** A wait that began before the interval is recorded in it completely. */
  private static double share(long part, long nanos) {
    return Math.min(1, Math.max(0, (double) part / nanos));
  }
}
