/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

/**
 * The times of a squeeze, from its start.
 *
 * @param forNanos how long threads stay pinned
 * @param boostFromNanos when threads get their nice level
 * @param boostForNanos how long they keep it; at most until the end of the squeeze
 */
public record Schedule(long forNanos, long boostFromNanos, long boostForNanos) {
  /** The shortest squeeze. */
  public static final long LEAST_NANOS = 100_000_000L;

  /** The longest. */
  public static final long MOST_NANOS = 24 * 3_600_000_000_000L;

  /** Checks the order of times. */
  public Schedule {
    if (forNanos < 1 || boostFromNanos < 0 || boostForNanos < 1 || boostFromNanos >= forNanos) {
      throw new IllegalArgumentException(
          "no schedule: " + forNanos + ", " + boostFromNanos + ", " + boostForNanos);
    }
  }

  /** Pins and boosts immediately, for the same time. */
  public static Schedule of(long forNanos) {
    return new Schedule(forNanos, 0, forNanos);
  }
}
