/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

import dev.manx.policy.idle.IdleStrategy;
import dev.manx.policy.idle.ThreadWaiter;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One thread of a worker. It performs operations at their intended times, or as soon as possible
 * afterwards, and records how long after the intended time each ended. Read by other threads after
 * it has ended.
 */
final class WaitingThread extends Thread {
  /** Marks an operation that was not done. */
  static final long NOT_DONE = -1;

  private final int index;
  private final Ids ids;
  private final IdleStrategy idle;
  private final Work work;
  private final long workNanos;
  private final long holdNanos;
  private final long endNanos;
  private final long[] intendedNanos;
  private final long[] latencyNanos;
  private volatile long startNanos;
  private volatile boolean priming = true;
  private volatile boolean stopped;
  private long waits;
  private long checks;

  WaitingThread(
      String name, int index, Ids ids, IdleStrategy idle, Work work, WaitingLoad load, long seed) {
    super(name);
    this.index = index;
    this.ids = ids;
    this.idle = idle;
    this.work = work;
    this.workNanos = load.workNanos();
    this.holdNanos = load.holdNanos();
    this.endNanos = load.warmUpNanos() + load.windowNanos();
    this.intendedNanos = schedule(load, new SplittableRandom(seed * 1_000_003 + index));
    this.latencyNanos = new long[intendedNanos.length];
    Arrays.fill(latencyNanos, NOT_DONE);
    setDaemon(true);
  }

  private static long[] schedule(WaitingLoad load, SplittableRandom random) {
    double meanGap = load.threads() / load.perSecond() * 1e9;
    double end = (double) load.warmUpNanos() + load.windowNanos();
    long[] times = new long[(int) (end / meanGap * 1.2) + 1_000];
    int count = 0;
    double at = 0;
    while (count < times.length) {
      at -= Math.log(1 - random.nextDouble()) * meanGap;
      if (at >= end) {
        return Arrays.copyOf(times, count);
      }
      times[count++] = (long) at;
    }
    return times;
  }

  /** Ends the priming; the schedule begins at this time. */
  void begin(long nanoTime) {
    startNanos = nanoTime;
    priming = false;
  }

  /** Ends the thread before its schedule does. */
  void finish() {
    stopped = true;
  }

  @Override
  public void run() {
    while (priming) {
      operation();
      ThreadWaiter.INSTANCE.park(holdNanos);
    }
    waits = 0;
    checks = 0;
    for (int i = 0; i < intendedNanos.length && !stopped; i++) {
      long intended = startNanos + intendedNanos[i];
      waitUntil(intended);
      if (stopped) {
        return;
      }
      operation();
      if (!stopped) {
        latencyNanos[i] = System.nanoTime() - intended;
      }
    }
    // The squeeze counts the threads to its end.
    waitUntil(startNanos + endNanos);
  }

  private void waitUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime();
        left > 0 && !stopped;
        left = nanoTime - System.nanoTime()) {
      ThreadWaiter.INSTANCE.park(left);
    }
  }

  private void operation() {
    ids.announce(index);
    work.burn(holdNanos);
    ids.publish(index);
    long found = ids.snapshot(index, idle);
    if (found > 0) {
      waits++;
      checks += found;
    }
    work.burn(workNanos - holdNanos);
    ids.release(index);
  }

  /** Intended times since the start, ascending. */
  long[] intendedNanos() {
    return intendedNanos;
  }

  /** Latency from the intended time; {@link #NOT_DONE} for operations not done. */
  long[] latencyNanos() {
    return latencyNanos;
  }

  /** Operations that had to wait for another thread. */
  long waits() {
    return waits;
  }

  /** Checks without success by those operations. */
  long checks() {
    return checks;
  }
}
