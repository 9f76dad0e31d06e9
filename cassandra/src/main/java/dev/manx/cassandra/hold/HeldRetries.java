/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import dev.manx.cassandra.control.Counter;
import dev.manx.policy.NanoClock;
import dev.manx.policy.fanout.CopyBudget;
import java.util.concurrent.TimeUnit;

/** How long held retries of stock wait, within bounds. Any thread. */
final class HeldRetries {
  /** Part of the bound on held reads, so that a strategy's own holds have room. */
  static final int MOST = Holds.MOST / 2;

  private static final long MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long PAUSED_NANOS = 20 * MILLI_NANOS;

  // At most one in twenty of the reads that only wait is read twice, and a few more after a while
  // without retries.
  private static final double PER_ANSWER = 0.05;
  private static final int AT_ONCE = 20;

  private final HoldTimer timer;
  private final NanoClock clock;
  private final CopyBudget budget = new CopyBudget(AT_ONCE, PER_ANSWER);

  HeldRetries(HoldTimer timer, NanoClock clock) {
    this.timer = timer;
    this.clock = clock;
  }

  /** The budget of retries that leave although their first replica works. */
  CopyBudget budget() {
    return budget;
  }

  /**
   * Makes a read a retry that waits while a condition is true.
   *
   * @param lifeNanos time until it expires
   * @return the time until the next decision; 0 if it need not wait or too many are held
   */
  long begin(HeldRead read, HeldWhile whileTrue, long lifeNanos) {
    if (timer.size() >= MOST) {
      read.engine().counters().count(Counter.HOLDS_OVERFLOWED);
      return 0;
    }
    long now = clock.nanoTime();
    read.retries(whileTrue, now + Math.max(0, lifeNanos) / Holds.SHARE);
    long nanos = read.waitsNanos(now);
    return nanos <= 0 ? 0 : wholeMillis(now + nanos) - now;
  }

  /**
   * Lets a retry wait again if its condition is true. The caller then checks it like a read just
   * added.
   */
  boolean waitsAgain(HeldRead read, long dueNanos, long now) {
    if (!read.claim()) {
      return false;
    }
    long nanos = 0;
    try {
      // After a pause of the whole process the answers that it missed are read first.
      boolean paused = now - dueNanos > PAUSED_NANOS;
      nanos = paused ? read.leftNanos(now, PAUSED_NANOS) : read.waitsNanos(now);
      if (nanos > 0) {
        timer.move(read, wholeMillis(now + nanos));
      }
    } catch (Throwable t) {
      nanos = 0;
      read.engine().guard().survived("the wait of a retry", t);
    } finally {
      read.unclaim();
    }
    return nanos > 0;
  }

  // Thousands may wait, and each different time wakes the thread.
  private static long wholeMillis(long nanos) {
    long past = Math.floorMod(nanos, MILLI_NANOS);
    return past == 0 ? nanos : nanos + MILLI_NANOS - past;
  }
}
