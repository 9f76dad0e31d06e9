/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Counters;
import java.util.concurrent.atomic.AtomicLong;

/** Counts for an order the reads that did not wait, if it uses that number. Any thread. */
final class PassedReads {
  private final AtomicLong reported = new AtomicLong();
  private volatile boolean counts;

  /**
   * Begins to count for an order.
   *
   * @param wanted whether the order uses the number
   */
  void begin(Counters counters, boolean wanted) {
    reported.set(counters.get(Counter.ORDER_PASSED));
    counts = wanted;
  }

  /** Ends that: the reads left are served without an order. */
  void end() {
    counts = false;
  }

  /**
   * Number of reads that passed since the last one was queued, if the order uses it and they may be
   * of the same kind. What kind they are is not known; if they are mixed as the queued ones are,
   * the order gets its share.
   */
  long before(Counters counters, QueuedRead read) {
    if (!counts) {
      return 0;
    }
    long now = counters.get(Counter.ORDER_PASSED);
    long before = reported.getAndAccumulate(now, Math::max);
    return read.isInTurn() ? 0 : Math.max(0, now - before);
  }
}
