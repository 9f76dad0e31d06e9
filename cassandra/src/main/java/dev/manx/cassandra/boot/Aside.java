/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Runs the switches of the control thread, one at a time on a separate thread: they run policy
 * code, which may never return. Called by one thread.
 */
final class Aside {
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final ThreadFactory threads;
  private Thread last;
  private long beganNanos;
  private int late;

  Aside() {
    this(change -> new Thread(change, "manx-switch"));
  }

  /**
   * @param threads creates the thread of each switch
   */
  Aside(ThreadFactory threads) {
    this.threads = threads;
  }

  /** Whether a switch is under way. */
  boolean isBusy() {
    return last != null && last.isAlive();
  }

  /** Runs a switch; no other may be under way. Throws what the start of a thread throws. */
  void run(Runnable change, long nowNanos) {
    beganNanos = nowNanos;
    late = 0;
    last = threads.newThread(change);
    last.setDaemon(true);
    last.start();
  }

  /**
   * Whether a switch has been under way for two seconds and one further look; after a pause of the
   * whole JVM it seems late once. True once per switch.
   */
  boolean isStuck(long nowNanos) {
    if (isBusy() && nowNanos - beganNanos > STUCK_NANOS) {
      late++;
      return late == 2;
    }
    return false;
  }
}
