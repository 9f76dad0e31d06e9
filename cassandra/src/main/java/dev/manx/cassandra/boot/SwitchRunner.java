/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Runs the switches of the control thread, one at a time on a separate thread: they run policy
 * code, which may never return. Called by one thread.
 */
final class SwitchRunner {
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final ThreadFactory threads;
  private Thread last;
  private long beganNanos;
  private int late;

  SwitchRunner() {
    this(change -> new Thread(change, "manx-switch"));
  }

  /**
   * @param threads creates the thread of each switch
   */
  SwitchRunner(ThreadFactory threads) {
    this.threads = threads;
  }

  /** Whether a switch is under way. */
  boolean isBusy() {
    return last != null && last.isAlive();
  }

  /** Runs a switch; no other may be under way. Passes on errors from the start of a thread. */
  void run(Runnable change, long nowNanos) {
    beganNanos = nowNanos;
    late = 0;
    last = threads.newThread(change);
    last.setDaemon(true);
    last.start();
  }

  /**
   * Whether a switch has been under way for two seconds and one further check; after a pause of the
   * whole JVM it may seem late once. True once per switch.
   */
  boolean isStuck(long nowNanos) {
    if (isBusy() && nowNanos - beganNanos > STUCK_NANOS) {
      late++;
      return late == 2;
    }
    return false;
  }
}
