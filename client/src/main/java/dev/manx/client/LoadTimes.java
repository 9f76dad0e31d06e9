/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.NanoClock;
import java.util.concurrent.TimeoutException;

/** How long a backend's loads take, to tell a late failure from a quick one. Thread-safe. */
final class LoadTimes {
  /* A client of a backend may have a time-out of its own, shorter than ours and with any exception.
   * Without its failures, a backend that is saturated would look idle. The mean is of the last
   * loads, sixteen or so; an update that is lost between two threads does not matter. */
  private static final int LOADS = 16;

  private final long longestNanos;
  private final NanoClock clock;
  // Of loads that were answered; -1: none yet.
  private volatile long meanNanos = -1;

  /**
   * @param timeOutNanos of a load
   */
  LoadTimes(long timeOutNanos, NanoClock clock) {
    longestNanos = timeOutNanos / 2;
    this.clock = clock;
  }

  /**
   * Takes the time of a load, and marks one that has failed late: with a {@link TimeoutException},
   * or after the mean time of an answer or half of its time-out, whichever is shorter.
   *
   * @param load whose loader was called
   * @param failure null: it was answered
   */
  void ended(LoaderCall<?, ?> load, Throwable failure) {
    long nanos;
    try {
      nanos = Math.max(0, clock.nanoTime() - load.begunNanos());
    } catch (Throwable e) {
      // The application's clock failed: queries wait for this load.
      return;
    }
    long mean = meanNanos;
    if (failure == null) {
      meanNanos = mean < 0 ? nanos : mean + (nanos - mean) / LOADS;
    } else if (failure instanceof TimeoutException
        || nanos >= longestNanos
        || mean >= 0 && nanos >= mean) {
      load.markTooLate();
    }
  }
}
