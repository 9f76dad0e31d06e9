/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Takes each key at most once in {@link #APART} reads, so that a single key cannot dominate the
 * statistics of the sampled reads. A partition whose reads take a hundred times their forecast,
 * because they pass over tombstones or filter most rows out, is then at most one read in 256 of its
 * replicas, however often it is read.
 *
 * <p>Any thread; lock-free, allocates nothing. If two threads pass one key at the same moment, both
 * may be taken. Two keys that share a slot replace each other, so a key may be taken sooner.
 */
public final class KeySample {
  /** Least distance, in reads of any key, between two taken reads of one key. */
  public static final int APART = 256;

  /** More slots than {@link #APART}, so that few keys share one. */
  private static final int PLACES = 1_024;

  private static final long UPPER = 0xFFFF_FFFF_0000_0000L;

  /** Each slot holds the upper half of a key's hash and the number of the taken read. */
  private final AtomicLongArray taken = new AtomicLongArray(PLACES);

  private final AtomicInteger reads = new AtomicInteger(APART);

  /**
   * Counts a read, and decides whether it is taken.
   *
   * @param keyHash the hash of its key, with all bits mixed
   */
  public boolean takes(long keyHash) {
    int number = reads.incrementAndGet();
    int place = (int) keyHash & PLACES - 1;
    long last = taken.get(place);
    if (((last ^ keyHash) & UPPER) == 0 && number - (int) last < APART) {
      return false;
    }
    taken.set(place, keyHash & UPPER | number & ~UPPER);
    return true;
  }
}
