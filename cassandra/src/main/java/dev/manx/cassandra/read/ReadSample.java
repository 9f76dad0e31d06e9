/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Draws the reads that are timed although they need not wait, to learn service times. The size of
 * the sample does not grow with their rate, since a busy node has no time for more. Any thread.
 */
final class ReadSample {
  // One read in this many, a power of two, with at least this distance in time.
  private static final int ONE_IN = 16;
  private static final long GAP_NANOS = 5_000_000;

  private final LongSupplier clock;
  private volatile long lastNanos;

  ReadSample(LongSupplier clock) {
    this.clock = clock;
    this.lastNanos = clock.getAsLong() - GAP_NANOS;
  }

  /** Whether a read is in the sample; racing threads may draw one read more. */
  boolean takes() {
    if ((ThreadLocalRandom.current().nextInt() & ONE_IN - 1) != 0) {
      return false;
    }
    long now = clock.getAsLong();
    if (now - lastNanos < GAP_NANOS) {
      return false;
    }
    lastNanos = now;
    return true;
  }
}
