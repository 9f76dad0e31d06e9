/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.policy.NanoClock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Which requests are followed while all is calm: one in {@value #USUAL} of each thread, but at
 * first one in {@value #FIRST}, and none within {@value #GAP_MILLIS} ms after another. Of these it
 * also draws which are planned: every one at first, later one in {@value #PLANNED}, and wide ones
 * less often. The latency of the others is recorded, but their keys are not evaluated. Any thread.
 */
/*
 * A planned request is slower than others. One in 128 of all requests is planned in the long run,
 * so that a P99 is not the latency of planned requests.
 *
 * The JVM compiles a method with C1 after some 200 calls, and with C2 after some 5,000. Most of the
 * time of a plan is spent on its reads: after FIRST_READS of them their code is fast, and that of
 * the requests was called some hundred times at least, unless they are very wide. Without the larger
 * share this would take 640,000 single reads; until then clients of planned requests would wait
 * for slow code, and so would all clients in the first queue after a start. A still larger share
 * would end sooner, but slow down more of the requests of a node that serves few.
 *
 * The gap limits the cost on busy nodes, which need no more requests than others to know their
 * peers.
 */
final class Sample {
  /** One request in this many is followed; a power of two. */
  static final int USUAL = 64;

  /** One in this many is followed at first; a power of two. */
  static final int FIRST = 16;

  /** Of the requests followed later, one in this many is planned; a power of two. */
  static final int PLANNED = 2;

  /** Number of planned reads after which the larger share ends. */
  static final int FIRST_READS = 5_000;

  /** Reads of a followed request that are planned, on average at most. */
  static final int READS = 8;

  /** Least time between two followed requests. */
  static final int GAP_MILLIS = 5;

  private static final long NEVER = Long.MIN_VALUE;

  private final long gapNanos;
  private final AtomicInteger firstLeft;
  private final AtomicLong lastNanos = new AtomicLong(NEVER);

  /** Begins with the larger share. */
  Sample() {
    this(FIRST_READS, GAP_MILLIS * 1_000_000L);
  }

  /**
   * @param first number of planned reads after which the larger share ends
   * @param gapNanos least time between two followed requests
   */
  Sample(int first, long gapNanos) {
    firstLeft = new AtomicInteger(first);
    this.gapNanos = gapNanos;
  }

  /** Number of reads that are planned before the larger share ends. */
  int firstLeft() {
    return Math.max(0, firstLeft.get());
  }

  /** Records that reads were planned, whether all is calm or not. */
  void planned(int reads) {
    if (isFirst()) {
      firstLeft.addAndGet(-reads);
    }
  }

  private boolean isFirst() {
    return firstLeft.get() > 0;
  }

  /**
   * Whether a request is followed.
   *
   * @param requests of its thread that can be followed, since the last one that was followed,
   *     including this one
   */
  boolean takes(int requests, NanoClock clock) {
    if ((requests & (isFirst() ? FIRST : USUAL) - 1) != 0) {
      return false;
    }
    long now = clock.nanoTime();
    long last = lastNanos.get();
    return (last == NEVER || now - last >= gapNanos) && lastNanos.compareAndSet(last, now);
  }

  /**
   * Draws whether a followed request is planned. Its client waits for the plan, in code that runs
   * rarely, so the wider a request, the less often it is planned.
   *
   * @param followed number of the request among those of its thread that are followed
   * @param width its number of keys
   */
  boolean plans(int followed, int width, RandomGenerator random) {
    int oneIn = isFirst() ? 1 : PLANNED;
    // Rarer plans may have more reads each.
    int most = READS * oneIn;
    return (followed & oneIn - 1) == 0 && (width <= most || random.nextInt(width) < most);
  }
}
