/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.util.concurrent.TimeUnit;

/**
 * Runs the switches that the control thread decides on, one at a time and on a thread of their own:
 * a policy's code runs in them and may never return. One thread's calls.
 */
final class Aside {
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(2);

  private Thread last;
  private long beganNanos;
  private int late;

  /** Whether a switch is under way. */
  boolean isBusy() {
    return last != null && last.isAlive();
  }

  /** Runs a switch; none may be under way. */
  void run(Runnable change, long nowNanos) {
    beganNanos = nowNanos;
    late = 0;
    last = new Thread(change, "manx-switch");
    last.setDaemon(true);
    last.start();
  }

  /**
   * Whether a switch has been under way for two seconds, and for one more look, since after a pause
   * of the whole JVM it seems late once. True once for each switch.
   */
  boolean isStuck(long nowNanos) {
    if (isBusy() && nowNanos - beganNanos > STUCK_NANOS) {
      late++;
      return late == 2;
    }
    return false;
  }
}
