/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts the requests that have reads queued. A read without a request's id counts as a request of
 * its own. Where many requests are queued some count as one: ids share 1,024 places. Any thread.
 */
final class QueuedRequests {
  private static final int PLACE_BITS = 10;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final AtomicIntegerArray reads = new AtomicIntegerArray(1 << PLACE_BITS);
  private final AtomicInteger requests = new AtomicInteger();

  private static int place(long requestId) {
    return (int) (requestId * SPREAD >>> Long.SIZE - PLACE_BITS);
  }

  // A read may be noted as gone before it is noted as queued, by another thread: the count of
  // places above zero is right again once both are noted.

  /** A read was queued; its request's id, or 0. */
  void queued(long requestId) {
    if (requestId == 0 || reads.getAndIncrement(place(requestId)) == 0) {
      requests.incrementAndGet();
    }
  }

  /** One that was queued is no longer. */
  void left(long requestId) {
    if (requestId == 0 || reads.decrementAndGet(place(requestId)) == 0) {
      requests.decrementAndGet();
    }
  }

  int count() {
    return Math.max(0, requests.get());
  }
}
