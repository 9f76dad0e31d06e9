/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.stats.Bootstrap;
import dev.manx.load.Backlog;
import dev.manx.load.ClassResult;
import dev.manx.load.LoadResult;
import dev.manx.load.SaturationSearch;
import dev.manx.load.SaturationSearch.Trial;
import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Histograms;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SaturationSearchesTest {
  private static final SaturationGoal GOAL = new SaturationGoal(95, 250_000_000, 0.1, 3, 8);

  /** A cluster that holds the goal up to a rate. */
  private static SaturationSearch.Result search(int trials, double holdsUpTo) throws Exception {
    return new SaturationSearch(0.1, trials)
        .search(100, rate -> new Trial(rate, rate, 1, rate <= holdsUpTo));
  }

  @Test
  void aSearchThatFoundNothingIsNotASilentZero() throws Exception {
    assertThat(SaturationSearches.doubt("manx", search(3, 0)))
        .get()
        .asString()
        .startsWith("saturation: manx held the goal at no rate, down to 25.0/s, and")
        .contains("counts as 0", "saturation.at-most", "saturation.trials");
    assertThat(SaturationSearches.words("manx", GOAL, Bootstrap.standard().median(new double[8])))
        .isEqualTo(
            "manx holds P95 <= 250ms at no rate in most searches (95 % interval 0.0-0.0,"
                + " 8 searches)");
  }

  /** Each arm would otherwise seem to have the generator's limit. */
  @Test
  void aRateThatFailedBecauseOfTheGeneratorIsNotSilentlyTheArms() {
    assertThat(SaturationSearches.late("manx", 100, result(10_000_000, 900_000))).isEmpty();
    assertThat(SaturationSearches.late("manx", 100, result(10_000_000, 1_100_000)))
        .get()
        .asString()
        .startsWith("saturation: at 100.0/s, which manx did not hold, the load generator")
        .contains("P99 1.1 ms");
  }

  private static LoadResult result(long latencyNanos, long lagNanos) {
    Histogram latency = Histograms.create();
    Histograms.record(latency, latencyNanos);
    Histogram lag = Histograms.create();
    Histograms.record(lag, lagNanos);
    return new LoadResult(
        Map.of(
            RequestClass.ALL,
            new ClassResult(RequestClass.ALL, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, latency)),
        lag,
        new Backlog(0, 0, 0, false, false),
        1,
        0,
        0,
        0,
        0,
        Map.of());
  }

  @Test
  void aSearchThatEndedEarlySaysSoAndAWholeOneDoesNot() throws Exception {
    assertThat(SaturationSearches.doubt("manx", search(2, 1e9)))
        .get()
        .asString()
        .contains("held the goal at 200.0/s", "raise saturation.trials");
    assertThat(SaturationSearches.doubt("manx", search(20, 130))).isEmpty();
    assertThat(
            SaturationSearches.words(
                "manx", GOAL, Bootstrap.standard().median(new double[] {12, 13, 14})))
        .isEqualTo("manx holds P95 <= 250ms up to 13.0 requests/s (range 12.0-14.0, 3 searches)");
  }
}
