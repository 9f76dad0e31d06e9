/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.Request.Unit;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import dev.manx.simulator.source.SourceSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a host checks of policies in a third party's jar. */
class ForeignPoliciesTest {
  private static final Host NODE = Host.node(System::nanoTime);
  private static final Host SIMULATOR = Host.simulator(() -> 0, () -> 42);

  @Test
  void aPolicyOfTheSimulatorActsOnNoNode() {
    String document = "strategy: { fanout: fanout.hearing }";
    assertThatThrownBy(() -> Strategy.parse("own.yaml", document, NODE))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "own.yaml:1: strategy.fanout = 'fanout.hearing' is invalid:"
                + " fanout.hearing acts only in the simulator");
    assertThat(Strategy.parse("own.yaml", document, SIMULATOR).names())
        .containsEntry("fanout", "fanout.hearing");
    assertThat(Strategy.parse("log", document, Host.replay(() -> 0, () -> 42)).names())
        .containsEntry("fanout", "fanout.hearing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "order: { policy: order.multilevel, levels-by: keys }, fanout: fanout.counting-keys | KEYS",
        "order: order.bottleneck, fanout: fanout.counting-keys | KEYS",
        "order: order.sjf, fanout: fanout.counting-bytes,"
            + " oracles: { size: oracle.size-ewma } | BYTES",
      })
  void anOrderServesAPlannerOfItsUnit(String parts, Unit unit) {
    String document = "strategy: { %s }".formatted(parts);
    assertThat(Strategy.parse("own.yaml", document, SIMULATOR).unit()).isEqualTo(unit);
  }

  /** Its reads were sent in stock order, so the run does not show what the selector does. */
  @ParameterizedTest
  @CsvSource({
    "invent, 2000, none",
    "repeat, 2000, none",
    "nothing, 0, none",
    "invent, 2000, without-opsets",
    "repeat, 2000, without-opsets",
    "nothing, 0, without-opsets",
  })
  void aSelectorThatDoesNotPermuteFailsTheRun(String fault, int reads, String planner) {
    ModelSpec model = Models.cluster(List.of());
    SourceSpec source = Models.reads(4);
    Outcome outcome =
        new Simulation(
                model,
                source,
                "strategy: { select: { policy: select.faulty, fault: %s }, fanout: fanout.%s }"
                    .formatted(fault, planner),
                Models.run(model, source, 0.5, 500, 1))
            .run();
    assertThat(outcome.checks())
        .filteredOn(check -> check.name().equals("every ranking is a permutation"))
        .singleElement()
        .satisfies(
            check -> {
              assertThat(check.holds()).isEqualTo(reads == 0);
              assertThat(check.detail()).contains(" of %d reads".formatted(2_000));
              assertThat(check.detail().contains("of 2000 of 2000 reads")).isEqualTo(reads > 0);
            });
    assertThat(outcome.sound()).isEqualTo(reads == 0);
  }

  /** The planner states its unit only when it is made. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "order: order.boost, fanout: fanout.counting-keys | order = 'order.boost' | durations",
        "order: order.boost, oracles: { size: oracle.size-ewma }, fanout: fanout.counting-bytes |"
            + " order = 'order.boost' | durations",
        "order: { policy: order.lottery, levels-by: keys }, fanout: fanout.counting-bytes,"
            + " oracles: { size: oracle.size-ewma } | order.levels-by = 'keys' | by keys",
        "fanout: fanout.counting-bytes | fanout = 'fanout.counting-bytes' | strategy.oracles.size",
      })
  void anOrderThatCannotRankByThePlannersUnitIsRefused(String parts, String place, String why) {
    Blueprint blueprint =
        Blueprint.parse("own.yaml", "strategy: { %s }".formatted(parts), SIMULATOR);
    assertThatThrownBy(blueprint::build)
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("own.yaml:1: strategy.")
        .hasMessageContaining(place)
        .hasMessageContaining(why);
    assertThatThrownBy(() -> blueprint.build(Strategy.parse("stock", "strategy: {}", SIMULATOR)))
        .isInstanceOf(ConfigException.class);
  }
}
