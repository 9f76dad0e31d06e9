/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.shares.CacheStrategy;
import dev.manx.simulator.Check;
import dev.manx.simulator.cache.CacheOutcome.Metric;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NewServerTest {
  private static double value(NewServer server, String name, String params) {
    return server.metrics().stream()
        .filter(metric -> metric.name().equals(name) && metric.params().equals(params))
        .mapToDouble(Metric::value)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** The others' mean is (60, 30, 10), and the new server has equal shares of the 100. */
  @Test
  void theDistanceIsThePartOfTheCacheAtOtherBackends() {
    double[][] shares = {{64, 28, 8}, {56, 32, 12}, {34, 33, 33}};
    NewServer server = new NewServer(600, shares);
    // (|34 - 60| + |33 - 30| + |33 - 10|) / 2
    assertThat(server.distancePct()).isEqualTo(26, within(1e-9));
    // (4 + 2 + 2) / 2 for each of the two
    assertThat(server.othersPct()).isEqualTo(4, within(1e-9));
    assertThat(value(server, "new_server_distance_pct", "minute=0")).isEqualTo(26, within(1e-9));
  }

  /** Taxes of 1 % and equal gifts: after n decisions 0.99 to the n of the difference is left. */
  @Test
  void underTheRuleOfThePaperAFortiethIsLeftAfterThirtyMinutes() {
    double[][] shares = {{60, 30, 10}, {60, 30, 10}, {34, 33, 33}};
    NewServer server = new NewServer(600, shares);
    double[] rbc = {0.5, 0.5, 0};
    for (int tick = 1; tick <= 720; tick++) {
      for (double[] own : shares) {
        for (int b = 0; b < own.length; b++) {
          own[b] += -0.01 * own[b] + rbc[b];
        }
      }
      server.turn(600 + 5 * tick, shares);
    }
    double afterThirty = 100 * Math.pow(0.99, 360);
    assertThat(value(server, "new_server_left_pct", "minute=30"))
        .isEqualTo(afterThirty, within(1e-6))
        .isEqualTo(2.7, within(0.03));
    assertThat(value(server, "new_server_distance_pct", "minute=30"))
        .isEqualTo(0.26 * afterThirty, within(1e-6));
  }

  @Test
  void aMinuteThatIsNotReachedHasNoValue() {
    double[][] shares = {{60, 40}, {50, 50}};
    NewServer server = new NewServer(0, shares);
    server.turn(599, shares);
    assertThat(value(server, "new_server_left_pct", "minute=10")).isNaN();
    server.turn(600, shares);
    assertThat(value(server, "new_server_left_pct", "minute=10")).isEqualTo(100);
  }

  private static CacheOutcome play(String policy, Scenario scenario) {
    CacheModel model =
        new CacheModel(
            List.of(
                new BackendModel("a", 4, 60_000, 0.8, 12e6, 200, 0),
                new BackendModel("b", 4, 60_000, 0.8, 2e6, 200, 0)),
            List.of(new RequestKind(1, List.of(0.7, 0.7))),
            100,
            3,
            600_000_000L,
            23_000,
            1.3,
            16,
            400_000,
            300_000,
            0.8,
            0.4);
    return new CacheSimulation(
            new CacheRun(
                model,
                null,
                scenario,
                0.1,
                CacheStrategy.named(policy),
                null,
                List.of(new Slo("p99", 0.99, 150_000_000L)),
                7,
                List.of(),
                60),
            new CacheSimulation.Tables())
        .run();
  }

  @Test
  void aServerThatStartsAnewApproachesTheOthers() {
    CacheOutcome outcome = play("cache.robinhood", Scenario.newServer(1_800, 2_400, 300));
    assertThat(outcome.checks()).hasSize(2).allMatch(Check::holds);
    double first = outcome.metric("new_server_distance_pct", "minute=0");
    double ten = outcome.metric("new_server_left_pct", "minute=10");
    double thirty = outcome.metric("new_server_left_pct", "minute=30");
    assertThat(first).as("the others no longer have equal shares").isGreaterThan(10);
    // 0.99^120 of the difference: the caches fill within some decisions
    assertThat(ten).isBetween(25.0, 60.0);
    assertThat(thirty).isLessThan(20);
    assertThat(outcome.timeline())
        .anyMatch(point -> point.entity().equals("new server") && point.seconds() == 300)
        .noneMatch(point -> point.entity().equals("new server") && point.seconds() < 300);
  }

  @Test
  void onlySeparateSharesHaveADistance() {
    Scenario starts = Scenario.newServer(60, 600, 0);
    assertThat(play("cache.shared", starts).metric("new_server_distance_pct", "minute=0")).isNaN();
    assertThat(
            play("cache.robinhood", new Scenario(60, 600, Map.of()))
                .metric("new_server_distance_pct", "minute=0"))
        .isNaN();
  }
}
