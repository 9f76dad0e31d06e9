/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.simulator.ModelSpec.Forecasts;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.kernel.Streams;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors of forecasts scatter around the truth; only a bias moves them all. */
class ForecastErrorTest {
  private static final int DRAWS = 400_000;

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
