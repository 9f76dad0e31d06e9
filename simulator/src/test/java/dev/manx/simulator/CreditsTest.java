/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.simulator.ModelSpec.Forecasts;
import dev.manx.simulator.ModelSpec.Knowledge;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CreditsTest {
  private static final String CREDITS =
      """
      strategy:
        order: { policy: order.bottleneck, capacity: 1000000 }
        fanout: { policy: fanout.brb-credits, prefer: least-work, node-cores: 2, clients: 3 }
        facts: [%s]
      """;

  private static double p99(double bias, String facts) {
    Forecasts forecasts = new Forecasts(Knowledge.EXACT, 0, bias, 0, 0);
    ModelSpec model = Models.with(Models.cluster(List.of()), forecasts);
    RunSpec run = Models.run(model, Models.mixed(), 0.7, 40_000, 1);
    Outcome outcome = new Simulation(model, Models.mixed(), CREDITS.formatted(facts), run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    return outcome.all().nanos().getValueAtPercentile(99);
  }

  /**
   * With forecasts three times too high the cluster would have credit for half of the reads, and
   * with a third of it for three times as many as it can serve.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.33, 3})
  @Timeout(60)
  void creditsSettleAgainstReportedServiceTimes(double bias) {
    double right = p99(1, "service-time");
    assertThat(p99(1, "")).as("forecasts that are right").isEqualTo(right);
    assertThat(p99(bias, "service-time")).isBetween(0.9 * right, 1.1 * right);
  }
}
