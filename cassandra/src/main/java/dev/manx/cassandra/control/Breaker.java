/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import dev.manx.policy.config.Units;
import java.util.concurrent.TimeUnit;

/**
 * Opens when Manx's own code throws too often: {@code failures} within {@code windowNanos}. After a
 * while it becomes half-open for a retry: the first failure opens it again, for twice as long, at
 * most an hour; a window without failures closes it. If opened permanently, it waits for an
 * operator.
 *
 * <p>Any thread.
 */
public final class Breaker {
  private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

  private int failures;
  private long windowNanos;
  private long retryNanos;
  private State state = State.CLOSED;
  // The times of the failures within the window: a ring that holds fewer than failures, grown when
  // needed.
  private long[] times = new long[8];
  private int first;
  private int inWindow;
  private long sinceNanos;
  private long waitNanos;
  private boolean forGood;
  private String reason = "";

  private enum State {
    CLOSED,
    OPEN,
    HALF_OPEN
  }

  /**
   * @param failures throwables that open it, at least 1
   * @param windowNanos the time within which they must occur
   * @param retryNanos how long it stays open the first time; 0 to wait for an operator
   */
  public Breaker(int failures, long windowNanos, long retryNanos) {
    configure(failures, windowNanos, retryNanos);
  }

  /** Sets other limits, as in the constructor. An open breaker keeps its waiting time. */
  public final synchronized void configure(int failures, long windowNanos, long retryNanos) {
    this.failures = failures;
    this.windowNanos = windowNanos;
    this.retryNanos = retryNanos;
    if (state == State.CLOSED || waitNanos == 0) {
      waitNanos = retryNanos;
    }
  }

  /**
   * Counts a failure.
   *
   * @return true if this one opened the breaker
   */
  public synchronized boolean failed(String why, long nowNanos) {
    if (state == State.OPEN) {
      return false;
    }
    count(nowNanos);
    boolean again = state == State.HALF_OPEN;
    if (!again && inWindow < failures) {
      reason = why;
      return false;
    }
    if (again) {
      waitNanos = Math.min(Math.max(LONGEST_NANOS, retryNanos), waitNanos * 2);
    }
    open(why, nowNanos);
    return true;
  }

  private void count(long nowNanos) {
    while (inWindow > 0 && nowNanos - times[first] > windowNanos) {
      first = (first + 1) % times.length;
      inWindow--;
    }
    if (inWindow == times.length) {
      long[] longer = new long[2 * inWindow];
      System.arraycopy(times, first, longer, 0, inWindow - first);
      System.arraycopy(times, 0, longer, inWindow - first, first);
      times = longer;
      first = 0;
    }
    times[(first + inWindow++) % times.length] = nowNanos;
  }

  /**
   * Opens it at once, until an operator resets it.
   *
   * @return true if it was not open
   */
  public synchronized boolean trip(String why, long nowNanos) {
    boolean wasOpen = state == State.OPEN;
    open(why, nowNanos);
    forGood = true;
    return !wasOpen;
  }

  private void open(String why, long nowNanos) {
    state = State.OPEN;
    sinceNanos = nowNanos;
    reason = why;
  }

  /**
   * Half-opens it if it has been open long enough.
   *
   * @return true if it did; the caller then restores the mode that the breaker ended
   */
  public synchronized boolean tryAgain(long nowNanos) {
    if (!triesAgain() || nowNanos - sinceNanos < waitNanos) {
      return false;
    }
    state = State.HALF_OPEN;
    sinceNanos = nowNanos;
    inWindow = 0;
    return true;
  }

  /** Opens it again if it is half-open, since the retry has failed; returns whether it did. */
  public synchronized boolean reopen(String why, long nowNanos) {
    return state == State.HALF_OPEN && failed(why, nowNanos);
  }

  /** Closes it after a half-open window without a failure. Called by the timer. */
  public synchronized void settle(long nowNanos) {
    if (state == State.HALF_OPEN && nowNanos - sinceNanos > windowNanos) {
      reset();
    }
  }

  /** Closes it and forgets the failures. */
  public synchronized void reset() {
    state = State.CLOSED;
    forGood = false;
    waitNanos = retryNanos;
    inWindow = 0;
    reason = "";
  }

  /** Whether it is open. */
  public synchronized boolean isOpen() {
    return state == State.OPEN;
  }

  /** Whether it is open and will try again without an operator. */
  public synchronized boolean triesAgain() {
    return state == State.OPEN && !forGood && retryNanos != 0;
  }

  /** Its state as a number: 0 closed, 1 open, 2 half-open. */
  public synchronized int level() {
    return state.ordinal();
  }

  /**
   * {@code closed}, {@code half-open} with the last failure, or {@code open} with that and the time
   * of the retry.
   */
  public synchronized String describe(long nowNanos) {
    return switch (state) {
      case CLOSED -> "closed";
      case HALF_OPEN -> "half-open: " + reason;
      case OPEN ->
          triesAgain()
              ? "open, tries again in "
                  + Units.duration(seconds(Math.max(0, waitNanos - (nowNanos - sinceNanos))))
                  + ": "
                  + reason
              : "open until switched on: " + reason;
    };
  }

  private static long seconds(long nanos) {
    long second = TimeUnit.SECONDS.toNanos(1);
    return (nanos + second - 1) / second * second;
  }
}
