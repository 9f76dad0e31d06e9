/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import dev.manx.client.log.SparseLog;
import dev.manx.client.timer.Timer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Runs a beat at once and then every interval, until the timer is closed or the beats end. A beat
 * that fails, or that cannot be scheduled, does not end the later ones: without beats, a server
 * would seem to be cut off for ever.
 */
final class Beats {
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Timer timer;
  private final long intervalNanos;
  private final Runnable beat;
  private final BooleanSupplier ended;
  // Allocated once: scheduling a beat takes as little memory as possible.
  private final Runnable repeated = this::repeat;
  private final SparseLog log = new SparseLog(Invalidations.class);

  /**
   * @param timer for beats only: a task may wait here
   * @param ended whether no further beat is needed
   */
  Beats(Timer timer, long intervalNanos, Runnable beat, BooleanSupplier ended) {
    this.timer = timer;
    this.intervalNanos = intervalNanos;
    this.beat = beat;
    this.ended = ended;
  }

  /** Runs the first beat, and schedules the next one. */
  void start() {
    tryBeat();
    // An error reaches the caller, who does not get a cache then.
    timer.after(intervalNanos, repeated);
  }

  private void repeat() {
    tryBeat();
    while (!ended.getAsBoolean() && !next()) {
      LockSupport.parkNanos(RETRY_NANOS);
      // The interrupt would end every wait at once.
      Thread.interrupted();
    }
  }

  private void tryBeat() {
    try {
      beat.run();
    } catch (Throwable e) {
      log.warn("a heartbeat failed; the next one follows", e);
    }
  }

  /** Schedules the next beat; returns false if that failed and must be tried again. */
  private boolean next() {
    try {
      timer.after(intervalNanos, repeated);
    } catch (RejectedExecutionException e) {
      // The cache is closed.
    } catch (Throwable e) {
      // For example, out of memory.
      log.warn("the next heartbeat could not be scheduled; trying again", e);
      return false;
    }
    return true;
  }
}
