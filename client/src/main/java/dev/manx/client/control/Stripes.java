/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Tracks which stripes of a recorder are held. A stripe is held for some ten nanoseconds at a time,
 * by one thread, which must not take it again. Each thread takes the stripe that it took last, or
 * the next free one, so that concurrent threads soon use different ones.
 */
final class Stripes {
  /* Processors that alternately write to one cache line wait some 50 ns each time, longer than a
   * stripe is held. So the states of two stripes are 128 bytes apart: processors fetch lines of 64
   * bytes in pairs. Lock objects cannot be kept apart: the collector moves those of one array
   * together. They also store their owner, which costs a write barrier each time. */
  private static final int APART = 128 / Integer.BYTES;
  private static final int HOMES = 1_024;
  private static final long PAUSE_NANOS = 1_000;

  private final int size;
  private final AtomicIntegerArray held;
  /* The stripe that a thread took last, by a hash of its id. Threads with the same hash race for an
   * entry, but every value is valid. */
  private final byte[] homes = new byte[HOMES];

  /**
   * @param size number of stripes; 1 to 64
   */
  Stripes(int size) {
    this.size = size;
    // Padding, also before the first and after the last.
    held = new AtomicIntegerArray((size + 2) * APART);
    for (int i = 0; i < HOMES; i++) {
      homes[i] = (byte) (i % size);
    }
  }

  /** Takes a free stripe for this thread; negative if all are held. */
  int take() {
    int thread = (int) (Thread.currentThread().getId() * 0x9E3779B97F4A7C15L >>> 40) & (HOMES - 1);
    int home = homes[thread];
    if (tryTake(home)) {
      return home;
    }
    for (int i = 1; i < size; i++) {
      int next = (home + i) % size;
      if (tryTake(next)) {
        homes[thread] = (byte) next;
        return next;
      }
    }
    return -1;
  }

  /** Takes a given stripe, waiting for its holder. */
  void take(int stripe) {
    while (!tryTake(stripe)) {
      // Its holder is about to release it, or was preempted; in that case spinning would delay it.
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private boolean tryTake(int stripe) {
    int place = place(stripe);
    return held.getOpaque(place) == 0 && held.compareAndSet(place, 0, 1);
  }

  /** Releases a stripe that the caller holds. */
  void giveBack(int stripe) {
    held.setRelease(place(stripe), 0);
  }

  private static int place(int stripe) {
    return (stripe + 1) * APART;
  }
}
