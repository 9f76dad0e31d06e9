/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

/**
 * Opens when Manx's own code throws too often: {@code failures} within {@code windowNanos}. It stays
 * open until an operator resets it, for a fault that repeats would only repeat again.
 *
 * <p>Any thread.
 */
public final class Breaker {
  private final int failures;
  private final long windowNanos;
  private long windowStart;
  private int inWindow;
  private boolean open;
  private String reason = "";

  /**
   * @param failures throwables that open it, at least 1
   * @param windowNanos the time within which they must fall
   */
  public Breaker(int failures, long windowNanos) {
    this.failures = failures;
    this.windowNanos = windowNanos;
  }

  /**
   * Counts a failure.
   *
   * @return true if this one opened the breaker
   */
  public synchronized boolean failed(String why, long nowNanos) {
    if (open) {
      return false;
    }
    if (inWindow == 0 || nowNanos - windowStart > windowNanos) {
      windowStart = nowNanos;
      inWindow = 0;
    }
    inWindow++;
    reason = why;
    open = inWindow >= failures;
    return open;
  }

  /** Closes it and forgets the failures. */
  public synchronized void reset() {
    open = false;
    inWindow = 0;
    reason = "";
  }

  /** Whether it is open. */
  public synchronized boolean isOpen() {
    return open;
  }

  /** {@code closed}, or {@code open: } and the last failure. */
  public synchronized String describe() {
    return open ? "open: " + reason : "closed";
  }
}
