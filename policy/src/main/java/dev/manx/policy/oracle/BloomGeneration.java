/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/** One Bloom filter over 64-bit hashes that counts its set bits. Lock-free; never allocates. */
final class BloomGeneration {
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final long bits;
  private final int hashes;
  private final AtomicLong set = new AtomicLong();

  BloomGeneration(int words, int hashes) {
    this.words = new long[words];
    this.bits = (long) words * Long.SIZE;
    this.hashes = hashes;
  }

  /** Share of the bits that are set. */
  double fill() {
    return set.get() / (double) bits;
  }

  boolean contains(long hash) {
    long step = step(hash);
    long at = hash;
    for (int i = 0; i < hashes; i++, at += step) {
      long bit = bit(at);
      if (((long) WORD.getOpaque(words, (int) (bit >>> 6)) >>> bit & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Adds a hash; returns whether any of its bits was new. */
  boolean add(long hash) {
    long step = step(hash);
    long at = hash;
    int fresh = 0;
    for (int i = 0; i < hashes; i++, at += step) {
      long bit = bit(at);
      long mask = 1L << bit;
      int word = (int) (bit >>> 6);
      if (((long) WORD.getOpaque(words, word) & mask) == 0
          && ((long) WORD.getAndBitwiseOr(words, word, mask) & mask) == 0) {
        fresh++;
      }
    }
    if (fresh > 0) {
      set.addAndGet(fresh);
    }
    return fresh > 0;
  }

  void clear() {
    long cleared = 0;
    for (int i = 0; i < words.length; i++) {
      cleared += Long.bitCount((long) WORD.getAndSet(words, i, 0L));
    }
    set.addAndGet(-cleared);
  }

  long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }

  // Double hashing: an odd step derived from the hash; the high half picks the bit.
  private static long step(long hash) {
    return Long.rotateLeft(hash * 0x9E3779B97F4A7C15L, 31) | 1;
  }

  private long bit(long at) {
    return ((at >>> 32) * bits) >>> 32;
  }
}
