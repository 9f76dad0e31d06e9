/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.warm;

import java.util.OptionalDouble;

/** Whether a node's slowness still falls: the last readings, compared with those before. */
final class Trend {
  /** Readings in each of the two groups; one is taken every two seconds. */
  static final int READINGS = 30;

  /** A larger fall is one. */
  private static final double FALL = 0.05;

  private final double[] last = new double[2 * READINGS];
  private int count;

  void add(double ratio) {
    last[count++ % last.length] = ratio;
  }

  /** The mean of the last readings if they are not lower than those before; empty if too few. */
  OptionalDouble stays() {
    if (count < last.length) {
      return OptionalDouble.empty();
    }
    double before = 0;
    double now = 0;
    for (int i = 0; i < READINGS; i++) {
      before += last[(count + i) % last.length] / READINGS;
      now += last[(count + READINGS + i) % last.length] / READINGS;
    }
    return now < (1 - FALL) * before ? OptionalDouble.empty() : OptionalDouble.of(now);
  }
}
