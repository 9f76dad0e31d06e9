/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.NanoClock;
import dev.manx.shares.AnswerTimes;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

/**
 * Measures a backend's loads, for listeners and to tell late failures from quick ones. A clock of
 * the application that fails costs a measurement only: queries wait for the load. Thread-safe.
 */
final class LoadTimes {
  private static final long UNKNOWN = -1;

  private final AnswerTimes times;
  private final NanoClock clock;
  private final LongConsumer listener;

  /**
   * Starts without loads.
   *
   * @param timeOutNanos of a load; a failure after half of it is late
   * @param listener receives the time of each call of the loader, in nanoseconds
   */
  LoadTimes(long timeOutNanos, NanoClock clock, LongConsumer listener) {
    times = new AnswerTimes(timeOutNanos / 2);
    this.clock = clock;
    this.listener = listener;
  }

  /**
   * Takes the time of a load, if its loader was called, and marks a load that has failed late: with
   * a {@link TimeoutException}, or by {@link AnswerTimes}.
   *
   * @param failure null: it was answered
   */
  void ended(LoaderCall<?, ?> load, Throwable failure) {
    long nanos = load.isRejected() ? UNKNOWN : nanos(load);
    if (nanos == UNKNOWN) {
      return;
    }
    if (failure == null) {
      times.answered(nanos);
    } else if (times.failed(nanos) || failure instanceof TimeoutException) {
      load.markTooLate();
    }
    listener.accept(nanos);
  }

  /** Takes the time of a load that has timed out, if its loader was called. */
  void timedOut(LoaderCall<?, ?> load) {
    long nanos = nanos(load);
    if (nanos != UNKNOWN) {
      listener.accept(nanos);
    }
  }

  private long nanos(LoaderCall<?, ?> load) {
    if (!load.hasBegun()) {
      return UNKNOWN;
    }
    try {
      return Math.max(0, clock.nanoTime() - load.begunNanos());
    } catch (Throwable e) {
      return UNKNOWN;
    }
  }
}
