/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

/** Well-mixed 64-bit hashes of small numbers and texts. */
final class Hashes {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Hashes() {}

  /** The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
  static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  static long of(long seed, long id) {
    return mix(mix(seed + GOLDEN) + GOLDEN * (id + 1));
  }

  static long of(String text) {
    long hash = GOLDEN;
    for (int i = 0; i < text.length(); i++) {
      hash = mix(hash + text.charAt(i) + GOLDEN);
    }
    return hash;
  }

  /** A number in [0, 1) from a hash. */
  static double unit(long hash) {
    return (hash >>> 11) * 0x1.0p-53;
  }
}
