/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import org.HdrHistogram.Histogram;

/**
 * A look at a run that goes on; counters are since its start, warm-up included.
 *
 * @param elapsedNanos since the run's start
 * @param sinceWindowNanos since the start of the measured window; negative during warm-up
 * @param totalNanos length of warm-up and window together
 * @param offered requests intended so far
 * @param ended requests that ended
 * @param failed those of them that failed or timed out, and requests not sent
 * @param wrong rows wrong, missing or twice
 * @param outstanding requests under way
 * @param intervalLatencyNanos latency of the requests that ended since the last look
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
    Histogram intervalLatencyNanos) {
  /** Gets a look at every interval, on the run's own thread for progress. */
  @FunctionalInterface
  public interface Listener {
    /** Takes the look; what it throws ends the looks and is thrown by the run at its end. */
    void accept(LoadProgress progress);
  }
}
