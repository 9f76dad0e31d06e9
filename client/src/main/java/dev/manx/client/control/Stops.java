/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

/**
 * Detects that the process was stopped ({@code SIGSTOP}, a paused container). Work in progress then
 * seems to have taken as long as the stop. It ends in the window of the stop or in the next one, so
 * neither window is used. Thread-safe.
 */
final class Stops {
  private static final int WINDOWS = 2;

  private final long longestNanos;
  private boolean ticked;
  private long lastNanos;
  private boolean wasLong;
  private int left;

  /**
   * @param longestNanos between two ticks of a process that runs
   * @param nowNanos when it is created
   */
  Stops(long longestNanos, long nowNanos) {
    this.longestNanos = longestNanos;
    lastNanos = nowNanos;
  }

  /** At each tick: whether the window that ends now must not be used. */
  synchronized boolean spoil(long nowNanos) {
    boolean isLong = nowNanos - lastNanos > longestNanos;
    // A host that drives the loop may always tick as rarely, or begin late.
    boolean stopped = isLong && ticked && !wasLong;
    left = stopped ? WINDOWS : Math.max(0, left - 1);
    ticked = true;
    lastNanos = nowNanos;
    wasLong = isLong;
    return left > 0;
  }
}
