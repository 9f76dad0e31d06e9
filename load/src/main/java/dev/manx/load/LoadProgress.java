/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.result.Histograms;
import org.HdrHistogram.Histogram;

/**
 * The progress of a run; counters are since its start, warm-up included.
 *
 * @param elapsedNanos since the run's start
 * @param sinceWindowNanos since the start of the measured window; negative during warm-up
 * @param totalNanos length of warm-up and window together
 * @param offered requests intended so far
 * @param ended requests that ended
 * @param answered requests that ended with an answer
 * @param failed requests that failed, timed out or were not sent
 * @param wrong rows wrong, missing or duplicate
 * @param outstanding requests in flight
 * @param intervalNanos time since the last report
 * @param intervalLatencyNanos latency of the requests answered or timed out since the last report;
 *     failures are excluded, since quick failures would lower it
 */
public record LoadProgress(
    long elapsedNanos,
    long sinceWindowNanos,
    long totalNanos,
    long offered,
    long ended,
    long answered,
    long failed,
    long wrong,
    long outstanding,
    long intervalNanos,
    Histogram intervalLatencyNanos) {
  /** P99 of the requests answered or timed out since the last report; NaN without any. */
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

  /** Receives a report at every interval, on the run's progress thread. */
  @FunctionalInterface
  public interface Listener {
    /** Receives a report; an exception ends the reports and is rethrown at the end of the run. */
    void accept(LoadProgress progress);
  }
}
