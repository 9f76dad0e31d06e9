/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.policy.NanoClock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which requests are followed while all is calm: one in {@value #USUAL} of each thread, but at
 * first one in {@value #FIRST}, and none within {@value #GAP_MILLIS} ms after another. Any thread.
 */
/*
 * The JVM compiles a method with all optimizations after some 5,000 calls. With the usual share
 * alone, a node follows so many requests only after 300,000: until then clients of followed requests
 * would wait for slow code, and so would all clients in the first queue after a start.
 *
 * The gap limits the cost on busy nodes, which need no more requests than others to know their
 * peers. A followed request is slower than others: one in 64 would be all of those beyond P98.4.
 */
final class Sample {
  /** One request in this many is followed; a power of two. */
  static final int USUAL = 64;

  /** One in this many is followed at first; a power of two. */
  static final int FIRST = 4;

  /** Number of requests that are followed at first. */
  static final int FIRST_REQUESTS = 6_000;

  /** Least time between two followed requests. */
  static final int GAP_MILLIS = 5;

  private static final long NEVER = Long.MIN_VALUE;

  private final long gapNanos;
  private final AtomicInteger firstLeft;
  private final AtomicLong lastNanos = new AtomicLong(NEVER);

  /** Begins with the larger share. */
  Sample() {
    this(FIRST_REQUESTS, GAP_MILLIS * 1_000_000L);
  }

  /**
   * @param first number of requests that are followed at first
   * @param gapNanos least time between two followed requests
   */
  Sample(int first, long gapNanos) {
    firstLeft = new AtomicInteger(first);
    this.gapNanos = gapNanos;
  }

  /** Number of requests that are still followed with the larger share. */
  int firstLeft() {
    return Math.max(0, firstLeft.get());
  }

  /**
   * Whether a request is followed.
   *
   * @param requests of its thread that can be followed, since the last one that was followed,
   *     including this one
   */
  boolean takes(int requests, NanoClock clock) {
    boolean first = firstLeft.get() > 0;
    if ((requests & (first ? FIRST : USUAL) - 1) != 0) {
      return false;
    }
    long now = clock.nanoTime();
    long last = lastNanos.get();
    if (last != NEVER && now - last < gapNanos || !lastNanos.compareAndSet(last, now)) {
      return false;
    }
    if (first) {
      firstLeft.decrementAndGet();
    }
    return true;
  }
}
