/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts the requests with queued reads. A read without a request id counts as a separate request.
 * If many requests are queued, some count as one: ids share 1,024 slots. Any thread.
 */
final class QueuedRequests {
  private static final int PLACE_BITS = 10;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final AtomicIntegerArray reads = new AtomicIntegerArray(1 << PLACE_BITS);
  private final AtomicInteger requests = new AtomicInteger();

  private static int place(long requestId) {
    return (int) (requestId * SPREAD >>> Long.SIZE - PLACE_BITS);
  }

  // A read may be recorded as removed before another thread records it as queued: the count of
  // slots above zero is correct again once both are recorded.

  /** Records a queued read by its request's id, or 0. */
  void queued(long requestId) {
    if (requestId == 0 || reads.getAndIncrement(place(requestId)) == 0) {
      requests.incrementAndGet();
    }
  }

  /** Records that a queued read was removed. */
  void left(long requestId) {
    if (requestId == 0 || reads.decrementAndGet(place(requestId)) == 0) {
      requests.decrementAndGet();
    }
  }

  int count() {
    return Math.max(0, requests.get());
  }
}
