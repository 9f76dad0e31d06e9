/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

/**
 * The smoothed service time of reads whose cost no oracle knows: range and index reads. Any thread;
 * a lost update is one sample less.
 */
final class LearnedCost {
  private static final double WEIGHT = 0.1;

  private volatile double nanos;

  /** Adds a service time. */
  void learn(long serviceNanos) {
    double old = nanos;
    nanos = old == 0 ? serviceNanos : old + WEIGHT * (serviceNanos - old);
  }

  /** The forecast of the next read; {@code least} before the first, and never below it. */
  long nanos(long least) {
    return Math.max(least, Math.round(nanos));
  }
}
