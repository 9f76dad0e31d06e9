/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The last windows of statistics; sums as many of the newest as a decision needs. Memory is bounded
 * by the number of windows kept. Confined to one thread or its owner's lock.
 */
public final class RecentWindows {
  private record Kept(long endNanos, WindowStatistics window) {}

  private final int most;
  private final Deque<Kept> windows = new ArrayDeque<>();
  // Number of newest windows that no decision had.
  private int fresh;

  /**
   * Starts empty.
   *
   * @param most largest number of windows kept, at least 1; older windows are dropped
   */
  public RecentWindows(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("at least one window is kept, not " + most);
    }
    this.most = most;
  }

  /**
   * Adds a window. If the clock went backwards, all earlier windows are dropped.
   *
   * @param endNanos when it ended, by the owner's clock
   */
  public void add(long endNanos, WindowStatistics window) {
    if (!windows.isEmpty() && endNanos < windows.getLast().endNanos) {
      windows.clear();
      fresh = 0;
    }
    windows.addLast(new Kept(endNanos, window));
    fresh = Math.min(most, fresh + 1);
    if (windows.size() > most) {
      windows.removeFirst();
    }
  }

  /** End of the newest window; {@link Long#MIN_VALUE} if there is none. */
  public long endNanos() {
    return windows.isEmpty() ? Long.MIN_VALUE : windows.getLast().endNanos;
  }

  /**
   * The statistics for a decision, after each {@link #add}. Null if the shares should stay: without
   * requests in the newest window, because old ones must not tax a share again and again; and if
   * all windows that can be kept would have too few, because chance would move the shares.
   *
   * @param recent of {@link #recent}
   * @param policy that decides
   */
  public DecisionStatistics forDecision(WindowStatistics recent, SharePolicy policy) {
    if (windows.isEmpty()
        || windows.getLast().window.requests() == 0
        || !canHave(policy.leastRequests())) {
      return null;
    }
    List<WindowStatistics> latest =
        windows.stream().skip(windows.size() - fresh).map(Kept::window).toList();
    fresh = 0;
    return new DecisionStatistics(recent, WindowStatistics.sum(latest), endNanos());
  }

  /**
   * Whether all windows that can be kept will have this many requests, at the rate of those that
   * are kept now.
   */
  boolean canHave(long requests) {
    double kept = 0;
    for (Kept one : windows) {
      kept += one.window.requests();
    }
    return kept * most >= (double) requests * windows.size();
  }

  /**
   * The sum of the newest windows: those that ended within a span before the end of the newest, and
   * older ones until there are enough requests.
   *
   * @param spanNanos least span; the newest window is always included
   * @param leastRequests requests wanted
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
