/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static dev.manx.load.Runs.MILLI;
import static dev.manx.load.Runs.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.manx.workload.Arrivals;
import dev.manx.workload.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares with M/M/1, whose P99 is ln(100) / (service rate - arrival rate). */
class SaturationSearchTest {
  private static final double SERVICE_RATE = 1000;
  private static final long GOAL_NANOS = 20 * MILLI;
  private static final double ANSWER = SERVICE_RATE - Math.log(100) * 1e9 / GOAL_NANOS;

  private int trials;

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 10, 700, 769.7, 800, 5000, 1e7})
  void findsTheRateFromAnyFirstGuess(double firstRate) throws InterruptedException {
    SaturationSearch.Result result = new SaturationSearch(0.01, 60).search(firstRate, this::model);
    double best = result.best().orElseThrow().requestsPerSecond();
    assertThat(result.bracketed()).isTrue();
    assertThat(best).isBetween(ANSWER / 1.01, ANSWER);
    assertThat(result.trials()).hasSize(trials).hasSizeLessThan(40);
  }

  @Test
  void saysWhenNothingHolds() throws InterruptedException {
    SaturationSearch.Result result =
        new SaturationSearch(0.01, 8)
            .search(100, rate -> new SaturationSearch.Trial(rate, 0, 0, false));
    assertThat(result.best()).isEmpty();
    assertThat(result.bracketed()).isFalse();
    assertThat(result.trials()).hasSize(8);
  }

  @Test
  void saysWhenEverythingHolds() throws InterruptedException {
    SaturationSearch.Result result =
        new SaturationSearch(0.01, 5)
            .search(100, rate -> new SaturationSearch.Trial(rate, rate, 0, true));
    assertThat(result.best().orElseThrow().requestsPerSecond()).isEqualTo(1600);
    assertThat(result.bracketed()).isFalse();
  }

  @Test
  void saysWhenTheTrialsEndFarFromTheAnswer() throws InterruptedException {
    SaturationSearch.Result result =
        new SaturationSearch(0.01, 5)
            .search(100, rate -> new SaturationSearch.Trial(rate, rate, 0, rate < 790));
    assertThat(result.best().orElseThrow().requestsPerSecond()).isEqualTo(600);
    assertThat(result.bracketed()).as("800/s failed, but 790/s may hold").isFalse();
  }

  @Test
  void searchesRealRuns() throws InterruptedException {
    LatencyGoal goal = new LatencyGoal(99, GOAL_NANOS, 0);
    Workload workload = Runs.singles(Arrivals.POISSON);
    SaturationSearch.Result result =
        new SaturationSearch(0.02, 20)
            .search(
                500,
                rate -> {
                  VirtualTime time = new VirtualTime();
                  SingleServer server = SingleServer.exponential(time, 1e9 / SERVICE_RATE, 9);
                  LoadSettings settings = Runs.settings(SECOND, 200 * SECOND, 100_000);
                  return goal.judge(rate, Runs.run(time, workload, rate, server, settings));
                });
    SaturationSearch.Trial best = result.best().orElseThrow();
    assertThat(best.requestsPerSecond()).isCloseTo(ANSWER, within(0.06 * ANSWER));
    assertThat(best.latencyNanos()).isLessThanOrEqualTo(GOAL_NANOS);
    assertThat(best.throughputPerSecond())
        .isCloseTo(best.requestsPerSecond(), within(0.02 * ANSWER));
  }

  @Test
  void badSettingsAreRefused() {
    assertThatThrownBy(() -> new SaturationSearch(0, 5))
        .hasMessageContaining("tolerance is above 0");
    assertThatThrownBy(() -> new SaturationSearch(0.1, 5).search(0, this::model))
        .hasMessageContaining("first rate is above 0");
    assertThatThrownBy(() -> new LatencyGoal(101, 1, 0)).hasMessageContaining("percentile");
  }

  private SaturationSearch.Trial model(double rate) {
    trials++;
    boolean stable = rate < SERVICE_RATE;
    double nanos = stable ? Math.log(100) * 1e9 / (SERVICE_RATE - rate) : Double.MAX_VALUE;
    return new SaturationSearch.Trial(
        rate, Math.min(rate, SERVICE_RATE), (long) nanos, nanos <= GOAL_NANOS);
  }
}
