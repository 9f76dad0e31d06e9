/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import java.util.Arrays;

/**
 * The disks of one node: each serves its misses in the order in which their reads started. Confined
 * to one thread.
 */
final class Disks {
  private final double[] freeNanos;

  /** Creates the disks; with 0 disks misses do not wait. */
  Disks(int disks) {
    freeNanos = new double[disks];
  }

  /** Starts a miss on the first free disk, and returns the wait for that disk. */
  double begin(double missNanos, long now) {
    if (freeNanos.length == 0) {
      return 0;
    }
    int first = 0;
    for (int disk = 1; disk < freeNanos.length; disk++) {
      first = freeNanos[disk] < freeNanos[first] ? disk : first;
    }
    double begins = Math.max(now, freeNanos[first]);
    freeNanos[first] = begins + missNanos;
    return begins - now;
  }

  /** Continues after a stop: all misses end later by its length. */
  void goOn(long sinceNanos, long now) {
    for (int disk = 0; disk < freeNanos.length; disk++) {
      if (freeNanos[disk] > sinceNanos) {
        freeNanos[disk] += now - sinceNanos;
      }
    }
  }

  /**
   * Changes the time that all misses still need.
   *
   * @param factor of that time
   * @param sinceNanos now, or the beginning of the present stop
   */
  void stretch(double factor, long sinceNanos) {
    for (int disk = 0; disk < freeNanos.length; disk++) {
      if (freeNanos[disk] > sinceNanos) {
        freeNanos[disk] = sinceNanos + (freeNanos[disk] - sinceNanos) * factor;
      }
    }
  }

  /** Drops all misses. */
  void clear() {
    Arrays.fill(freeNanos, 0);
  }
}
