/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import dev.manx.shares.WindowStatistics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last windows of all application servers, in the order in which they came, so that each server
 * takes every window exactly once: it says which it took last.
 *
 * <p>Windows go when they are old, or when there are too many backends' worth of them. Any thread.
 */
final class WindowLog {
  private record Entry(long number, long atNanos, WindowStatistics window) {}

  /**
   * What a server takes.
   *
   * @param window the sum of what came after the one it took last
   * @param upTo the number of the last of them
   */
  record Taken(WindowStatistics window, long upTo) {}

  private final long keepNanos;
  private final int mostColumns;
  private final int mostNames;
  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private final Map<String, Integer> names = new HashMap<>();
  private int columns;
  private long last;

  /**
   * @param keepNanos windows older than this go
   * @param mostColumns backends of all windows together, each about 5 KB; the oldest windows go
   * @param mostNames different backends at a time; a window that would add more is refused
   */
  WindowLog(long keepNanos, int mostColumns, int mostNames) {
    this.keepNanos = keepNanos;
    this.mostColumns = mostColumns;
    this.mostNames = mostNames;
  }

  /** Adds a window; false if its backends would be too many with those of the others. */
  synchronized boolean add(long nowNanos, WindowStatistics window) {
    forget(nowNanos);
    long fresh = window.backends().stream().filter(name -> !names.containsKey(name)).count();
    if (names.size() + fresh > mostNames || window.backends().size() > mostColumns) {
      return false;
    }
    window.backends().forEach(name -> names.merge(name, 1, Integer::sum));
    columns += window.backends().size();
    entries.add(new Entry(++last, nowNanos, window));
    while (columns > mostColumns) {
      removeOldest();
    }
    return true;
  }

  /** The sum of all windows after a number; all there are after 0. */
  Taken after(long nowNanos, long number) {
    List<WindowStatistics> wanted = new ArrayList<>();
    long upTo;
    synchronized (this) {
      forget(nowNanos);
      upTo = last;
      for (Entry entry : entries) {
        if (entry.number > number) {
          wanted.add(entry.window);
        }
      }
    }
    // Windows are immutable: summing them blocks no other thread.
    return new Taken(WindowStatistics.sum(wanted), upTo);
  }

  /** Windows at present. */
  synchronized int size() {
    return entries.size();
  }

  /** Different backends at present. */
  synchronized int backends() {
    return names.size();
  }

  private void forget(long nowNanos) {
    while (!entries.isEmpty() && nowNanos - entries.peek().atNanos > keepNanos) {
      removeOldest();
    }
  }

  private void removeOldest() {
    Entry oldest = entries.remove();
    columns -= oldest.window.backends().size();
    for (String name : oldest.window.backends()) {
      names.merge(name, -1, (count, less) -> count + less == 0 ? null : count + less);
    }
  }
}
