/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.NanoClock;
import dev.manx.shares.AnswerTimes;
import java.util.concurrent.TimeoutException;

/** Measures a backend's loads, to tell late failures from quick ones. Thread-safe. */
final class LoadTimes {
  private final AnswerTimes times;
  private final NanoClock clock;

  /**
   * Starts without loads.
   *
   * @param timeOutNanos of a load; a failure after half of it is late
   */
  LoadTimes(long timeOutNanos, NanoClock clock) {
    times = new AnswerTimes(timeOutNanos / 2);
    this.clock = clock;
  }

  /**
   * Takes the time of a load, and marks one that has failed late: with a {@link TimeoutException},
   * or by {@link AnswerTimes}.
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
    if (failure == null) {
      times.answered(nanos);
    } else if (times.failed(nanos) || failure instanceof TimeoutException) {
      load.markTooLate();
    }
  }
}
