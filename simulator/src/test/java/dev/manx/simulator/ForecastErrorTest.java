/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.simulator.ModelSpec.Forecasts;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.source.Draw;
import dev.manx.simulator.source.Source;
import dev.manx.simulator.source.SourceSpec;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors of forecasts scatter around the truth; only a bias moves them all. */
class ForecastErrorTest {
  private static final int DRAWS = 400_000;

  /** Reads with recorded times, of which every other one takes ten times as long as forecast. */
  private static final SourceSpec RECORDED =
      new SourceSpec() {
        @Override
        public Source open(Streams streams, int nodes, long run) {
          int[] drawn = {0};
          return draw -> {
            draw.begin(Draw.ANY, true);
            long service =
                ++drawn[0] % 2 == 0 ? Models.SERVICE_NANOS / 5 : 2 * Models.SERVICE_NANOS;
            draw.add(drawn[0], new int[] {0}, 1_000, false, Models.SERVICE_NANOS / 5, service);
          };
        }

        @Override
        public double meanReads() {
          return 1;
        }

        @Override
        public double meanBytes() {
          return 1_000;
        }

        @Override
        public int largeFromBytes() {
          return 1_001;
        }
      };

  private static double meanNanos(Forecasts forecasts) {
    ModelSpec model = Models.with(Models.bare(1, 1, 1, Scatter.NONE, 0), forecasts);
    RunSpec run = Models.run(model, RECORDED, 0.7, 20_000, 1);
    String strategy = "strategy: { order: order.sjf }";
    Outcome outcome = new Simulation(model, RECORDED, strategy, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    return outcome.all().meanNanos();
  }

  /** The forecasts of recorded reads were the recorded ones in every case. */
  @Test
  @Timeout(60)
  void recordedReadsHaveTheForecastsOfTheModelToo() {
    double recorded = meanNanos(new Forecasts(Knowledge.MEAN, 0, 1, 0, 0));
    double exact = meanNanos(new Forecasts(Knowledge.EXACT, 0, 1, 0, 0));
    assertThat(exact).as("short reads first").isLessThan(0.95 * recorded);
    assertThat(meanNanos(new Forecasts(Knowledge.EXACT, 2, 1, 0, 0)))
        .as("wrong forecasts")
        .isBetween(1.01 * exact, recorded);
    assertThat(meanNanos(new Forecasts(Knowledge.MEAN, 1, 1, 0, 0)))
        .as("another order")
        .isNotEqualTo(recorded);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "0.5, 1", "1, 1", "1, 1.65", "0, 0.25"})
  @Timeout(60)
  void meanForecastIsTheTruthTimesTheBias(double sigma, double bias) {
    ModelSpec even = Models.bare(1, 1, 1, Scatter.NONE, 0);
    ModelSpec model = Models.with(even, new Forecasts(Knowledge.EXACT, sigma, bias, 0, 0));
    ServiceTimes times = new ServiceTimes(model, new Streams(7));
    double sum = 0;
    for (int i = 0; i < DRAWS; i++) {
      sum += times.forecastNanos(1_000, false, Models.SERVICE_NANOS);
    }
    // The standard error of the mean at sigma 1 is 0.2 %.
    assertThat(sum / DRAWS).isCloseTo(Models.SERVICE_NANOS * bias, Percentage.withPercentage(1));
  }
}
