/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.NanoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that calls the policies' ticks and nothing else, so that a policy that blocks in its
 * tick delays no switch; such a thread is abandoned and {@link #ensure} starts another.
 */
final class TickTimer {
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final NanoClock clock;
  private final Runnable tick;
  private final long everyNanos;
  private volatile Thread current;
  // When the running tick began; 0 between ticks.
  private volatile long beganNanos;

  TickTimer(NanoClock clock, Runnable tick, long everyMillis) {
    this.clock = clock;
    this.tick = tick;
    this.everyNanos = TimeUnit.MILLISECONDS.toNanos(everyMillis);
  }

  /** Starts a thread, unless a living one ticks; a stuck one ends when its tick returns. */
  synchronized void ensure(long nowNanos) {
    long began = beganNanos;
    Thread last = current;
    if (last != null && last.isAlive() && (began == 0 || nowNanos - began < STUCK_NANOS)) {
      return;
    }
    Thread thread = new Thread(this::run, "manx-timer");
    thread.setDaemon(true);
    current = thread;
    thread.start();
  }

  private void run() {
    while (current == Thread.currentThread()) {
      beganNanos = clock.nanoTime();
      tick.run();
      if (current == Thread.currentThread()) {
        beganNanos = 0;
      }
      LockSupport.parkNanos(this, everyNanos);
    }
  }
}
