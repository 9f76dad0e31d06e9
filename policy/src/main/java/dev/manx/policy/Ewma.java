/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Exponentially weighted mean, {@code weight * sample + (1 - weight) * mean}, shared by threads.
 *
 * <p>Lock-free; adds in any order. The first sample becomes the mean.
 */
public final class Ewma {
  private static final long NONE = Double.doubleToRawLongBits(Double.NaN);

  private final double weight;
  private final AtomicLong bits = new AtomicLong(NONE);

  /**
   * Creates a mean without samples.
   *
   * @param weight of the new sample, in (0, 1]
   */
  public Ewma(double weight) {
    this.weight = weight;
  }

  /** Adds a sample. */
  public void add(double sample) {
    long seen = bits.get();
    while (!bits.weakCompareAndSetVolatile(seen, next(seen, weight, sample))) {
      seen = bits.get();
    }
  }

  /** The mean, or {@code otherwise} if nothing was added. */
  public double get(double otherwise) {
    double mean = Double.longBitsToDouble(bits.get());
    return Double.isNaN(mean) ? otherwise : mean;
  }

  /** Adds a sample to a mean kept as raw double bits in an array whose means start at 0. */
  public static void add(AtomicLongArray means, int index, double weight, double sample) {
    long seen = means.get(index);
    while (!means.weakCompareAndSetVolatile(index, seen, next(seen, weight, sample))) {
      seen = means.get(index);
    }
  }

  private static long next(long seen, double weight, double sample) {
    double mean = Double.longBitsToDouble(seen);
    return Double.doubleToRawLongBits(
        Double.isNaN(mean) ? sample : weight * sample + (1 - weight) * mean);
  }
}
