/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/** One number known of a node, as stored. The ordinal is the storage column, not a wire id. */
public enum FactColumn {
  /** Reads waiting or running in the node's read stage. */
  PENDING_READS,
  /** Smoothed service time of one read over all sizes, nanoseconds. */
  SERVICE_TIME,
  /** Smoothed service time of a read not known as large, nanoseconds. */
  SERVICE_TIME_SMALL,
  /** Smoothed service time of a large read, nanoseconds. */
  SERVICE_TIME_LARGE,
  /** Forecast service time of all reads waiting in the node's read stage, nanoseconds. */
  WORK_AHEAD,
  /** Reads that the node has ended since it started; goes back to 0 when it restarts. */
  COMPLETED_READS,
  /**
   * Ratio of service times to their forecasts, in thousandths; 0 while too few reads were measured.
   */
  SLOWNESS,
  /** Share of the cores of the node's host in use, by all processes, in thousandths. */
  CORES_IN_USE,
  /**
   * Never on the wire: the additional price of a read at the node over a read at home, as
   * nanoseconds of work in the node's queue. {@code HopMeter} measures it.
   */
  HOP_PRICE;

  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final long MOST_SLOWNESS = 1_000_000;
  private static final long ALL_CORES = 1_000;

  /**
   * The largest value accepted from another node; larger values are capped to it. It is far above
   * any value that a node can reach, and so far below the end of {@code long} that a policy's sums
   * do not overflow.
   */
  public long most() {
    return switch (this) {
      case SERVICE_TIME, SERVICE_TIME_SMALL, SERVICE_TIME_LARGE -> HOUR_NANOS;
      case WORK_AHEAD, HOP_PRICE -> 1_000 * HOUR_NANOS;
      case PENDING_READS -> Integer.MAX_VALUE;
      case SLOWNESS -> MOST_SLOWNESS;
      case CORES_IN_USE -> ALL_CORES;
      case COMPLETED_READS -> Long.MAX_VALUE;
    };
  }

  /** Whether it is a duration in nanoseconds; the others are counts and quotients. */
  public boolean isDuration() {
    return switch (this) {
      case SERVICE_TIME, SERVICE_TIME_SMALL, SERVICE_TIME_LARGE, WORK_AHEAD, HOP_PRICE -> true;
      case PENDING_READS, COMPLETED_READS, SLOWNESS, CORES_IN_USE -> false;
    };
  }
}
