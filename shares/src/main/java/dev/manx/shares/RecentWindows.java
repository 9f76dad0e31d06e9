/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The last windows of statistics, and as many of the newest together as a decision needs. Memory is
 * bounded by the number of windows kept. Confined to one thread or its owner's lock.
 */
public final class RecentWindows {
  private record Kept(long endNanos, WindowStatistics window) {}

  private final int most;
  private final Deque<Kept> windows = new ArrayDeque<>();

  /**
   * Without windows yet.
   *
   * @param most windows kept, at least 1; older ones are forgotten
   */
  public RecentWindows(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("at least one window is kept, not " + most);
    }
    this.most = most;
  }

  /**
   * Adds a window. A clock that went back makes all former windows worthless: they are forgotten.
   *
   * @param endNanos when it ended, by the owner's clock
   */
  public void add(long endNanos, WindowStatistics window) {
    if (!windows.isEmpty() && endNanos < windows.getLast().endNanos) {
      windows.clear();
    }
    windows.addLast(new Kept(endNanos, window));
    if (windows.size() > most) {
      windows.removeFirst();
    }
  }

  /** When the newest window ended, or {@link Long#MIN_VALUE} without any. */
  public long endNanos() {
    return windows.isEmpty() ? Long.MIN_VALUE : windows.getLast().endNanos;
  }

  /**
   * The newest windows together: at least those that ended within a span before the newest did, and
   * more until there are enough requests or no more windows.
   *
   * @param spanNanos at least; the newest window is always in it
   * @param leastRequests wanted
   */
  public WindowStatistics recent(long spanNanos, long leastRequests) {
    List<WindowStatistics> chosen = new ArrayList<>();
    long requests = 0;
    Iterator<Kept> newestFirst = windows.descendingIterator();
    while (newestFirst.hasNext()) {
      Kept kept = newestFirst.next();
      if (!chosen.isEmpty()
          && requests >= leastRequests
          && kept.endNanos <= endNanos() - spanNanos) {
        break;
      }
      chosen.add(kept.window);
      requests += kept.window.requests();
    }
    return WindowStatistics.sum(chosen);
  }
}
