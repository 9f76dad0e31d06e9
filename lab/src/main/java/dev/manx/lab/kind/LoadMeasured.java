/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.RunException;
import dev.manx.load.LoadResult;
import dev.manx.workload.result.RowKey;

/** The load generator's measurements of a turn. */
public final class LoadMeasured {
  private static final RowKey ANY = new RowKey("", "", RowKey.ALL, "", "", "");

  private static final String WARM_UP_ROWS = "correct rows in warm-up";

  private LoadMeasured() {}

  /**
   * The generator's latencies by class and its metrics.
   *
   * @param startSeconds of the window since the experiment's start
   * @param utilisationPct measured share of the capacity; NaN if it is not used
   */
  public static Measured of(double startSeconds, LoadResult result, double utilisationPct) {
    Measured measured = new Measured(startSeconds, result.windowSeconds());
    result
        .classes()
        .forEach(
            (one, of) ->
                measured.latency(
                    one.label(),
                    new Measured.Latency(
                        of.offered(),
                        of.failed(),
                        of.wrong(),
                        of.throughputPerSecond(),
                        of.latencyNanos())));
    result.metrics(ANY).forEach(row -> measured.metric(row.metric(), row.value()));
    measured.failures(result.failures());
    // Wrong rows of the window are in the column `wrong`.
    measured.check(WARM_UP_ROWS, result.warmUpWrong() == 0, words(result.warmUpWrong()));
    return measured.queues(result.backlog().growing(), utilisationPct);
  }

  /**
   * Checks the rows of a run that has no results.
   *
   * @param run describes the run
   * @throws RunException if a row was wrong
   */
  public static void checkRows(String run, LoadResult result) {
    if (result.wrong() > 0) {
      throw new RunException(run + ": " + words(result.wrong()));
    }
  }

  /**
   * Checks the load on an arm before the first round.
   *
   * @throws RunException if no request was answered, or a row was wrong
   */
  public static void settled(String arm, LoadResult result) {
    if (result.answersNothing()) {
      throw new RunException(
          "arm " + arm + " answers nothing while settling: " + result.failures());
    }
    checkRows("arm " + arm + " while settling", result);
  }

  private static String words(long wrong) {
    return wrong + " rows wrong, missing or duplicated";
  }
}
