/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import dev.manx.shares.WindowStatistics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The most recent windows of all application servers, in order of arrival. Each server receives
 * every window of its application exactly once: it names the last one that it received. The limits
 * hold for all applications together.
 *
 * <p>Old windows, and the oldest ones beyond a total size, are dropped. Thread-safe.
 */
final class WindowLog {
  /** The entry itself, and its place in the queue. */
  static final int ENTRY_BYTES = 56;

  private record Entry(
      String application, long number, long atNanos, long bytes, WindowStatistics window) {}

  /** A backend of an application. */
  private record Name(String application, String backend) {}

  /**
   * The windows sent to a server.
   *
   * @param window the sum of the windows after the last one that it received
   * @param upTo the number of the last of these windows
   */
  record Taken(WindowStatistics window, long upTo) {}

  private final long keepNanos;
  private final long mostBytes;
  private final int mostNames;
  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private final Map<Name, Integer> names = new HashMap<>();
  private long bytes;
  private long last;

  /**
   * @param keepNanos older windows are dropped
   * @param mostBytes maximum size of all windows together; the oldest windows are dropped
   * @param mostNames maximum number of different backends; a window that exceeds it is rejected
   */
  WindowLog(long keepNanos, long mostBytes, int mostNames) {
    this.keepNanos = keepNanos;
    this.mostBytes = mostBytes;
    this.mostNames = mostNames;
  }

  /** Adds a window; returns false if it would exceed a maximum by itself. */
  synchronized boolean add(String application, long nowNanos, WindowStatistics window) {
    forget(nowNanos);
    List<Name> own = names(application, window);
    long fresh = own.stream().filter(name -> !names.containsKey(name)).count();
    Entry entry =
        new Entry(application, last + 1, nowNanos, ENTRY_BYTES + window.heldBytes(), window);
    if (names.size() + fresh > mostNames || entry.bytes > mostBytes) {
      return false;
    }
    own.forEach(name -> names.merge(name, 1, Integer::sum));
    last++;
    bytes += entry.bytes;
    entries.add(entry);
    while (bytes > mostBytes) {
      removeOldest();
    }
    return true;
  }

  private static List<Name> names(String application, WindowStatistics window) {
    return window.backends().stream().map(backend -> new Name(application, backend)).toList();
  }

  /** The sum of an application's windows after a number; of all its windows for 0. */
  Taken after(String application, long nowNanos, long number) {
    List<WindowStatistics> wanted = new ArrayList<>();
    long upTo;
    synchronized (this) {
      forget(nowNanos);
      upTo = last;
      for (Entry entry : entries) {
        if (entry.number > number && entry.application.equals(application)) {
          wanted.add(entry.window);
        }
      }
    }
    // Windows are immutable: summing them blocks no other thread.
    return new Taken(WindowStatistics.sum(wanted), upTo);
  }

  /** Present number of windows. */
  synchronized int size() {
    return entries.size();
  }

  /** Present number of different backends of all applications. */
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
    bytes -= oldest.bytes;
    for (Name name : names(oldest.application, oldest.window)) {
      names.merge(name, -1, (count, less) -> count + less == 0 ? null : count + less);
    }
  }
}
