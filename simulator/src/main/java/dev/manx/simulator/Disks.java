/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/**
 * The disks of one node: each serves its misses in the order in which their reads started. Confined
 * to one thread.
 */
final class Disks {
  private final double[] freeNanos;

  /** So many disks; with 0 of them no miss waits. */
  Disks(int disks) {
    freeNanos = new double[disks];
  }

  /** Begins a miss at the disk that is free first, and returns how long it waits for it. */
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
}
