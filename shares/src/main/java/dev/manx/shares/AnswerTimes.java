/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/**
 * Recent times of a backend's answers and failures. They tell which failures count as misses: those
 * before which the backend had time to answer. Thread-safe.
 */
public final class AnswerTimes {
  /* The latency of misses shows how busy a backend is. A client of the backend may have a time-out
   * of its own, with any exception: without these failures, a backend that is saturated would look
   * idle. A failure at once says nothing about its load.
   *
   * Other failures have the latency of the backend's answers, for example if it rejects the result
   * of its work. To count only those above the mean answer would be a selection: with 60 % of them
   * the mean latency would rise to 1.27 times that of answers (lognormal, coefficient of variation
   * 0.8) at unchanged load. So they count together: while their mean, without those at once, is
   * about that of answers, all of them do. Three times the mean is late in any case.
   *
   * The means are of the last sixteen or so; an update that is lost between two threads does not
   * matter. */
  private static final int RECENT = 16;
  private static final int LATE = 3;
  private static final double AT_ONCE = 0.2;
  private static final double ALIKE = 0.75;
  private static final long NONE = -1;

  private final long longestNanos;
  private volatile long answerNanos = NONE;
  private volatile long failureNanos = NONE;

  /**
   * Starts without answers.
   *
   * @param longestNanos a failure after this time is late, whatever the answers took
   */
  public AnswerTimes(long longestNanos) {
    this.longestNanos = longestNanos;
  }

  /** Takes the time of an answer. */
  public void answered(long nanos) {
    answerNanos = follow(answerNanos, nanos);
  }

  /**
   * Takes the time of a failure.
   *
   * @return whether the backend had time to answer, so that the failure counts as a miss
   */
  public boolean failed(long nanos) {
    long answer = answerNanos;
    if (nanos >= longestNanos) {
      return true;
    }
    if (answer == NONE || nanos < AT_ONCE * answer) {
      return false;
    }
    failureNanos = follow(failureNanos, nanos);
    return nanos >= LATE * answer || failureNanos >= ALIKE * answer;
  }

  private static long follow(long mean, long nanos) {
    return mean == NONE ? nanos : mean + (nanos - mean) / RECENT;
  }
}
