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
 */
public final class Recovery {
  private static final int GROUP = 200;
  private static final int GROUPS_IN_A_ROW = 3;
  private static final double QUANTILE = 0.95;
  private static final double WORSE = 1.5;

  private final long faultNanos;
  private final long overNanos;
  private final Histogram before = Histograms.create();
  private long firstAfter = -1;
  private long[] arrivals = new long[1024];
  private long[] latencies = new long[1024];
  private int after;
  private int recorded;

  /**
   * Measures faults between the given times.
   *
   * @param faultNanos when the first fault begins
   * @param overNanos when the last one ends
   */
  public Recovery(long faultNanos, long overNanos) {
    this.faultNanos = faultNanos;
    this.overNanos = overNanos;
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
    if (arrivalNanos < faultNanos) {
      // One that the fault caught does not show the time before it.
      if (measured && arrivalNanos + latencyNanos <= faultNanos) {
        Histograms.record(before, answered ? latencyNanos : Histograms.HIGHEST_NANOS);
      }
    } else if (arrivalNanos >= overNanos) {
      if (firstAfter < 0) {
        // A later request may have ended first: leave room for the largest number in flight.
        firstAfter = Math.max(0, sequence - arrivals.length / 2);
      }
      int place = (int) (sequence - firstAfter);
      record(place, arrivalNanos, answered ? latencyNanos : Histograms.HIGHEST_NANOS);
    }
  }

  private void record(int place, long arrivalNanos, long latencyNanos) {
    if (place < 0) {
      return;
    }
    if (place >= arrivals.length) {
      int length = Math.max(place + 1, arrivals.length * 2);
      arrivals = Arrays.copyOf(arrivals, length);
      latencies = Arrays.copyOf(latencies, length);
    }
    recorded++;
    // Zero marks an empty slot.
    arrivals[place] = Math.max(1, arrivalNanos);
    latencies[place] = latencyNanos;
    after = Math.max(after, place + 1);
  }

  /** The time to recover, or the observed time without recovery. */
  public record Found(long nanos, boolean recovered) {}

  /** Time from the end of the last fault to recovery; null without requests to compare. */
  public Found found() {
    if (before.getTotalCount() < GROUP || recorded < GROUP) {
      return null;
    }
    double most = WORSE * before.getValueAtPercentile(100 * QUANTILE);
    long[] group = new long[GROUP];
    int size = 0;
    int row = 0;
    long groupFrom = 0;
    long rowFrom = 0;
    long last = overNanos;
    for (int place = 0; place < after; place++) {
      if (arrivals[place] == 0) {
        continue;
      }
      last = arrivals[place];
      if (size == 0) {
        groupFrom = last;
      }
      group[size++] = latencies[place];
      if (size == GROUP) {
        Arrays.sort(group);
        boolean well = group[(int) Math.ceil(QUANTILE * GROUP) - 1] <= most;
        rowFrom = well && row == 0 ? groupFrom : rowFrom;
        row = well ? row + 1 : 0;
        if (row == GROUPS_IN_A_ROW) {
          return new Found(rowFrom - overNanos, true);
        }
        size = 0;
      }
    }
    return new Found(last - overNanos, false);
  }
}
