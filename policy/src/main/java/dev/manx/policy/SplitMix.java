/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

import java.util.random.RandomGenerator;

/**
 * A small generator (SplitMix64) for policies with their own random draws: the same seed gives the
 * same decisions on every machine. Confined to one thread or to its owner's lock.
 */
public final class SplitMix implements RandomGenerator {
  private long state;

  /** Starts at a seed. */
  public SplitMix(long seed) {
    state = seed;
  }

  @Override
  public long nextLong() {
    state += 0x9E3779B97F4A7C15L;
    return mix(state);
  }

  /** Mixes 64 bits: each bit of the result depends on all of them. */
  public static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
