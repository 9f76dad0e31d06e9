/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

/**
 * The reports of one node, which come at its own interval: it may have another strategy file than
 * the controller's node, at least for a while. A report states no time span, so the interval is the
 * mean time between the last reports: a delayed report, or several that arrive together after a
 * pause of this node or of the connection, hardly change it. Sequential.
 */
final class CreditMember {
  /** Most reports whose times count. */
  private static final int MOST_TIMES = 5;

  // A node that has not reported for more of its intervals was off, or has another interval now.
  private static final int PAUSE = 3;

  // Reports closer than this were sent at different times and arrived together.
  private static final long TOGETHER_NANOS = ArrivalMeter.TICK_NANOS / 2;

  private final long ownNanos;
  private final long[] times = new long[MOST_TIMES];
  private int known;
  // Sum of the reports of the present interval of the controller; null for none.
  private CreditReport sum;
  private int reports;
  // Sum of the interval before, without congestion, for a member whose next report is late.
  private CreditReport earlier;
  private int earlierReports;
  private int silent;

  /**
   * Creates a member without reports.
   *
   * @param ownNanos the controller's interval, at least a tick; used as the node's interval until
   *     that is known
   */
  CreditMember(long ownNanos) {
    this.ownNanos = Math.max(ArrivalMeter.TICK_NANOS, ownNanos);
  }

  void report(CreditReport report, long atNanos) {
    if (known > 1 && atNanos - times[known - 1] > PAUSE * intervalNanos()) {
      known = 0;
    }
    if (known == 1 && atNanos - times[0] < TOGETHER_NANOS) {
      // The first reports after a pause would give an interval of zero.
      known = 0;
    }
    if (known == MOST_TIMES) {
      System.arraycopy(times, 1, times, 0, --known);
    }
    times[known++] = atNanos;
    sum = sum == null ? report : sum.and(report);
    reports++;
    silent = 0;
  }

  private double intervalNanos() {
    long span = known < 2 ? 0 : times[known - 1] - times[0];
    return span <= 0 ? ownNanos : Math.max(ArrivalMeter.TICK_NANOS, (double) span / (known - 1));
  }

  /** The node's interval in intervals of the controller, at least 1. */
  private long intervals() {
    return Math.max(1, Math.round(intervalNanos() / ownNanos));
  }

  /** Whether the node has been silent for at least this many of its intervals. */
  boolean isSilentFor(int itsIntervals) {
    return silent >= itsIntervals * intervals();
  }

  /** Intervals of the controller since its last report. */
  int silent() {
    return silent;
  }

  /**
   * The node's latest report; null if it is too old. Between two reports, and once if the next one
   * is late, this is the last report, without congestion.
   */
  CreditReport latest() {
    return sum != null ? sum : silent < 2 * intervals() ? earlier : null;
  }

  /**
   * The part of a work in {@link #latest} that the node requested during an interval of the
   * controller.
   */
  long each(long workNanos) {
    int of = sum != null ? reports : earlierReports;
    return Math.round((double) workNanos / of * ownNanos / intervalNanos());
  }

  /** Ends an interval of the controller. */
  void end() {
    if (sum != null) {
      earlier = sum.withoutCongestion();
      earlierReports = reports;
      sum = null;
      reports = 0;
    }
    silent++;
  }
}
