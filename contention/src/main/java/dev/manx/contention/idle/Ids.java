/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

import dev.manx.policy.idle.IdleStrategy;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Transaction ids as a storage engine allocates them: a thread announces that it is about to take
 * one, takes it, and publishes it. A thread that makes a snapshot in between must wait until it is
 * published.
 */
/* The model of WiredTiger's __txn_get_snapshot_int: only a few instructions lie between
 * is_allocating and the published id, but a thread that loses its core between them makes every
 * snapshot wait. */
final class Ids {
  private static final long NONE = 0;
  private static final long ALLOCATING = -1;
  // One cache line each, so that threads do not contend by accident.
  private static final int STRIDE = 16;

  private final AtomicLong last = new AtomicLong();
  private final AtomicLongArray slots;
  private final int threads;
  private volatile boolean stopped;

  Ids(int threads) {
    this.threads = threads;
    this.slots = new AtomicLongArray((threads + 1) * STRIDE);
  }

  void announce(int thread) {
    slots.set(thread * STRIDE, ALLOCATING);
  }

  void publish(int thread) {
    slots.set(thread * STRIDE, last.incrementAndGet());
  }

  void release(int thread) {
    slots.set(thread * STRIDE, NONE);
  }

  /** Ends all waits, so that a run ends with any strategy. */
  void stop() {
    stopped = true;
  }

  /**
   * Reads every other thread's id, waiting for ids about to be published.
   *
   * @return checks that found an id unpublished
   */
  long snapshot(int thread, IdleStrategy idle) {
    long checks = 0;
    for (int other = 0; other < threads; other++) {
      if (other == thread || slots.get(other * STRIDE) != ALLOCATING) {
        continue;
      }
      idle.reset();
      while (slots.get(other * STRIDE) == ALLOCATING && !stopped) {
        checks++;
        idle.idle();
      }
    }
    return checks;
  }
}
