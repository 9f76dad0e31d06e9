/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Which stripes of a record are held. A stripe is held for some ten nanoseconds at a time, by one
 * thread, which must not take it again. Each thread takes the stripe that it took last, or the next
 * free one, so that threads that run at once soon take different ones.
 */
final class Stripes {
  /* Processors that write to one cache line in turn wait some 50 ns for it each time, longer than a
   * stripe is held. So the states of two stripes are 128 bytes apart: processors fetch lines of 64
   * bytes in pairs. Lock objects cannot be kept apart: the collector moves those of one array next
   * to each other. They also store their owner, and the collector takes note of that at each store.
   */
  private static final int APART = 128 / Integer.BYTES;
  private static final int HOMES = 1_024;
  private static final long PAUSE_NANOS = 1_000;

  private final int size;
  private final AtomicIntegerArray held;
  /* The stripe that a thread took last, by a hash of its id. Threads race for an entry only if they
   * have the same hash, and every value is valid. */
  private final byte[] homes = new byte[HOMES];

  /**
   * @param size how many; 1 to 64
   */
  Stripes(int size) {
    this.size = size;
    // Other objects are as far from the first and the last.
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

  /** Takes one stripe, after its holder. */
  void take(int stripe) {
    while (!tryTake(stripe)) {
      // Its holder is about to give it back, or was preempted: then a spin would keep it waiting.
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private boolean tryTake(int stripe) {
    int place = place(stripe);
    return held.getOpaque(place) == 0 && held.compareAndSet(place, 0, 1);
  }

  /** Gives back a stripe that the caller holds. */
  void giveBack(int stripe) {
    held.setRelease(place(stripe), 0);
  }

  private static int place(int stripe) {
    return (stripe + 1) * APART;
  }
}
