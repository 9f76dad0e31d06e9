/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.TimelineRow;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The progress of a run; counters are since its start, warm-up included.
 *
 * @param elapsedNanos since the run's start
 * @param sinceWindowNanos since the start of the measured window; negative during warm-up
 * @param totalNanos length of warm-up and window together
 * @param offered requests intended so far
 * @param ended requests that ended
 * @param failed requests that failed, timed out or were not sent
 * @param wrong rows wrong, missing or duplicate
 * @param outstanding requests in flight
 * @param intervalNanos time since the last report
 * @param intervalLatencyNanos latency of the requests that ended since the last report
 */
public record LoadProgress(
    long elapsedNanos,
    long sinceWindowNanos,
    long totalNanos,
    long offered,
    long ended,
    long failed,
    long wrong,
    long outstanding,
    long intervalNanos,
    Histogram intervalLatencyNanos) {
  /** Entity of the rows of {@link #timeline}. */
  public static final String ENTITY = "client";

  /** P99 of the requests that ended since the last report; NaN if none did. */
  public double p99Millis() {
    return Histograms.percentileUs(intervalLatencyNanos, 99) / 1e3;
  }

  /** The time, requests in flight and the P99, on one line. */
  public String words() {
    double p99Ms = p99Millis();
    return String.format(
        "%2.0f s  %d under way  P99 %s",
        elapsedNanos / 1e9,
        outstanding,
        Double.isNaN(p99Ms) ? "-" : String.format("%.0f ms", p99Ms));
  }

  /**
   * Rows for {@code timeline.csv}: throughput, outstanding, P99 of requests that ended in the
   * interval.
   */
  public List<TimelineRow> timeline(String arm, String seed, String round) {
    double seconds = sinceWindowNanos / 1e9;
    List<TimelineRow> rows = new ArrayList<>();
    rows.add(
        new TimelineRow(arm, seed, round, seconds, ENTITY, "outstanding", (double) outstanding));
    if (intervalNanos > 0) {
      double perSecond = intervalLatencyNanos.getTotalCount() * 1e9 / intervalNanos;
      rows.add(new TimelineRow(arm, seed, round, seconds, ENTITY, "ended_per_s", perSecond));
    }
    if (intervalLatencyNanos.getTotalCount() > 0) {
      double p99Us = Histograms.percentileUs(intervalLatencyNanos, 99);
      rows.add(new TimelineRow(arm, seed, round, seconds, ENTITY, "p99_us", p99Us));
    }
    return rows;
  }

  /** Receives a report at every interval, on the run's progress thread. */
  @FunctionalInterface
  public interface Listener {
    /** Receives a report; an exception ends the reports and is rethrown at the end of the run. */
    void accept(LoadProgress progress);
  }
}
