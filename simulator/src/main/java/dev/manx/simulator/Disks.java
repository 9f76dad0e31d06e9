/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/**
 * The disks of one node: each serves its misses in the order in which their reads started. Confined
 * to one thread.
 */
final class Disks {
  private final double[] freeNanos;

  /** Creates the disks; with 0 disks no miss waits. */
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
}
