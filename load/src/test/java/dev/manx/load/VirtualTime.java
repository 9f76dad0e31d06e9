/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time for one thread: waiting runs the tasks scheduled for the time that passes. */
final class VirtualTime implements Pacer {
  private record Event(long atNanos, long number, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
  private long nowNanos = 77_000_000_000L;
  private long number;

  @Override
  public long nanoTime() {
    return nowNanos;
  }

  @Override
  public void await(long nanoTime) {
    while (!events.isEmpty() && events.peek().atNanos() <= nanoTime) {
      Event next = events.remove();
      nowNanos = Math.max(nowNanos, next.atNanos());
      next.action().run();
    }
    nowNanos = Math.max(nowNanos, nanoTime);
  }

  /** Advances time without the waiting thread. */
  void block(long nanos) {
    nowNanos += nanos;
  }

  void at(long nanoTime, Runnable action) {
    events.add(new Event(nanoTime, number++, action));
  }

  void after(long nanos, Runnable action) {
    at(nowNanos + nanos, action);
  }
}
