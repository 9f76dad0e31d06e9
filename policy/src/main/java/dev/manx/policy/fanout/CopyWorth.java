/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether copies pay, by what became of the last ones: those that started first and spared the
 * first copy its wait, less those that ran beside it, must be a tenth of all. While they are not,
 * one copy of eight goes, to go on looking. Any thread; lock-free; allocates nothing.
 */
/*
 * Where a message takes about as long as a read, both copies start before either hears of the other:
 * the copies' work is added to a load that made reads wait in the first place. The memory is short and
 * the looks are many, for when a node begins to stall its copies are wanted at once.
 */
final class CopyWorth {
  /** Fewer copies than this are no evidence, and count as paying. */
  static final int ENOUGH = 64;

  /** At so many both counts are halved. */
  static final int MANY = 128;

  static final int LOOK_EVERY = 8;
  private static final int TENTH = 10;

  // Copies sent in the upper half, net wins in the lower one: both change together.
  private final AtomicLong counts = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();

  /** Whether a copy may go; asked once for each. */
  boolean maySend() {
    return pays() || (asked.getAndIncrement() & LOOK_EVERY - 1) == 0;
  }

  boolean pays() {
    long now = counts.get();
    return sent(now) < ENOUGH || TENTH * net(now) >= sent(now);
  }

  /** A copy went. */
  void sent() {
    add(1, 0);
  }

  /** A copy started first. */
  void won() {
    add(0, 1);
  }

  /** Both copies were served. */
  void servedTwice() {
    add(0, -1);
  }

  private void add(int copies, int wins) {
    long had;
    long has;
    do {
      had = counts.get();
      long all = sent(had) + copies;
      // What is known of more wins than copies, or of more failures, belongs to copies forgotten.
      long net = Math.max(-all, Math.min(all, net(had) + wins));
      has = all < MANY ? all << 32 | net & 0xFFFFFFFFL : all / 2 << 32 | net / 2 & 0xFFFFFFFFL;
    } while (!counts.compareAndSet(had, has));
  }

  private static long sent(long counts) {
    return counts >> 32;
  }

  private static long net(long counts) {
    return (int) counts;
  }
}
