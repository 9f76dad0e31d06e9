/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * Measures the time for which requests are slow after the end of the last fault. Later requests are
 * grouped by two hundred in order of arrival. The cluster has recovered at the first of three
 * consecutive groups whose P95 is at most one and a half times that of the requests that ended
 * before the first fault, after the warm-up. A request without an answer counts as the slowest,
 * however quickly it failed. Confined to one thread.
 */
/*
 * The P95 of two hundred requests scatters by some 20 %, so one group below one and a half times
 * may be chance, but not three. P99 would need groups of a thousand, longer than many recoveries.
 *
 * Requests end in another order than they arrive. Those that ended are kept until they are too many;
 * then the first to arrive are grouped, and one of them that has not ended counts as the slowest.
 */
public final class Recovery {
  /** Metric: the time until the cluster had recovered, in milliseconds. */
  public static final String RECOVER_MS = "recover_ms";

  /** Metric: 1 if the run ended before the cluster had recovered, otherwise 0. */
  public static final String NOT_RECOVERED = "not_recovered";

  /** The largest number of ended requests that are kept. */
  static final int MOST_KEPT = 1 << 18;

  private static final int GROUP = 200;
  private static final int GROUPS_IN_A_ROW = 3;
  private static final int LEAST_AFTER = GROUP * GROUPS_IN_A_ROW;
  private static final double QUANTILE = 0.95;
  private static final double WORSE = 1.5;
  private static final int FIRST_KEPT = 1024;

  private final long faultNanos;
  private final long dueNanos;
  private long overNanos;
  private final Histogram before = Histograms.create();
  private Groups groups;
  private long firstAfter = -1;
  private long least = Long.MAX_VALUE;
  // Rings: the place of a request is its number, from `next` to `after`.
  private long[] arrivals = new long[FIRST_KEPT];
  private long[] latencies = new long[FIRST_KEPT];
  private long next;
  private long after;
  private long recorded;
  private long due;

  /**
   * Measures faults that last until {@link #over}.
   *
   * @param faultNanos when the first fault begins
   * @param dueNanos when the last one should end
   */
  public static Recovery untilOver(long faultNanos, long dueNanos) {
    return new Recovery(faultNanos, dueNanos, Long.MAX_VALUE);
  }

  /**
   * Measures faults between the given times.
   *
   * @param faultNanos when the first fault begins
   * @param overNanos when the last one ends
   */
  public Recovery(long faultNanos, long overNanos) {
    this(faultNanos, overNanos, overNanos);
  }

  private Recovery(long faultNanos, long dueNanos, long overNanos) {
    this.faultNanos = faultNanos;
    this.dueNanos = dueNanos;
    this.overNanos = overNanos;
  }

  /**
   * Sets the end of the last fault. Requests that arrive later must not have been recorded.
   *
   * @param nanos on the clock of the arrivals
   */
  public void over(long nanos) {
    overNanos = nanos;
  }

  /**
   * Records the end of a request.
   *
   * @param sequence number in order of arrival
   * @param measured whether it arrived after the warm-up
   * @param answered whether it was answered; it failed or timed out otherwise
   */
  public void ended(
      long sequence, long arrivalNanos, long latencyNanos, boolean measured, boolean answered) {
    due += arrivalNanos >= dueNanos ? 1 : 0;
    if (arrivalNanos < faultNanos) {
      // One that the fault caught does not show the time before it.
      if (measured && arrivalNanos + latencyNanos <= faultNanos) {
        Histograms.record(before, answered ? latencyNanos : Histograms.HIGHEST_NANOS);
      }
    } else if (arrivalNanos >= overNanos) {
      if (firstAfter < 0) {
        // A later request may have ended first: leave room for the largest number in flight.
        firstAfter = Math.max(0, sequence - FIRST_KEPT / 2);
      }
      record(
          sequence - firstAfter, arrivalNanos, answered ? latencyNanos : Histograms.HIGHEST_NANOS);
    }
  }

  private void record(long place, long arrivalNanos, long latencyNanos) {
    if (place < next || groups != null && groups.recovered) {
      return;
    }
    while (place - next >= arrivals.length) {
      if (arrivals.length < MOST_KEPT) {
        grow();
      } else {
        group();
      }
    }
    recorded++;
    // Zero marks an empty slot.
    arrivals[slot(place)] = Math.max(1, arrivalNanos);
    latencies[slot(place)] = latencyNanos;
    least = Math.min(least, place);
    after = Math.max(after, place + 1);
  }

  private int slot(long place) {
    return (int) (place & arrivals.length - 1);
  }

  private void grow() {
    long[] oldArrivals = arrivals;
    long[] oldLatencies = latencies;
    arrivals = new long[oldArrivals.length * 2];
    latencies = new long[arrivals.length];
    for (long place = next; place < after; place++) {
      int old = (int) (place & oldArrivals.length - 1);
      arrivals[slot(place)] = oldArrivals[old];
      latencies[slot(place)] = oldLatencies[old];
    }
  }

  /** Groups the first request; everything before the fault has ended by now. */
  private void group() {
    if (groups == null) {
      groups = new Groups(before);
    }
    int slot = slot(next);
    if (arrivals[slot] > 0) {
      groups.add(arrivals[slot], latencies[slot]);
    } else if (next > least) {
      groups.add(groups.last, Histograms.HIGHEST_NANOS);
    }
    arrivals[slot] = 0;
    next++;
  }

  /** Number of requests that can be kept without more memory. */
  int kept() {
    return arrivals.length;
  }

  /** The time to recover, or the observed time without recovery. */
  public record Found(long nanos, boolean recovered) {}

  /**
   * Time from the end of the last fault to recovery; null if the requests before it are too few to
   * compare with, or those after it too few to show a recovery.
   */
  public Found found() {
    if (before.getTotalCount() < GROUP || recorded < LEAST_AFTER) {
      return null;
    }
    Groups all = groups == null ? new Groups(before) : groups.copy();
    for (long place = next; place < after && !all.recovered; place++) {
      if (arrivals[slot(place)] > 0) {
        all.add(arrivals[slot(place)], latencies[slot(place)]);
      }
    }
    long at = all.recovered ? all.rowFrom : Math.max(all.last, overNanos);
    return new Found(at - overNanos, all.recovered);
  }

  /**
   * Whether the last fault ended so late that too few requests followed to show a recovery. After
   * its due end there were enough.
   */
  public boolean isOverTooLate() {
    return before.getTotalCount() >= GROUP && recorded < LEAST_AFTER && due >= LEAST_AFTER;
  }

  /** Requests after the faults in order of arrival, until the recovery. */
  private static final class Groups {
    private final double most;
    private final long[] group;
    private int size;
    private int row;
    private long groupFrom;
    private long rowFrom;
    private long last;
    private boolean recovered;

    Groups(Histogram before) {
      this(WORSE * before.getValueAtPercentile(100 * QUANTILE), new long[GROUP]);
    }

    private Groups(double most, long[] group) {
      this.most = most;
      this.group = group;
    }

    Groups copy() {
      Groups copy = new Groups(most, group.clone());
      copy.size = size;
      copy.row = row;
      copy.groupFrom = groupFrom;
      copy.rowFrom = rowFrom;
      copy.last = last;
      copy.recovered = recovered;
      return copy;
    }

    void add(long arrivalNanos, long latencyNanos) {
      if (recovered) {
        return;
      }
      last = arrivalNanos;
      if (size == 0) {
        groupFrom = last;
      }
      group[size++] = latencyNanos;
      if (size == GROUP) {
        Arrays.sort(group);
        boolean well = group[(int) Math.ceil(QUANTILE * GROUP) - 1] <= most;
        rowFrom = well && row == 0 ? groupFrom : rowFrom;
        row = well ? row + 1 : 0;
        recovered = row == GROUPS_IN_A_ROW;
        size = 0;
      }
    }
  }
}
