/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.manx.policy.NanoClock;
import dev.manx.policy.config.ConfigException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Strategies that are checked but not built yet. */
class BlueprintTest {
  private static final NanoClock CLOCK = () -> 0;

  @Test
  void itSaysHowMuchItsPartsWillHoldBeforeTheyAreBuilt() {
    // Half a gibibyte each: building them would be visible in a test's heap of one gibibyte.
    Blueprint blueprint =
        Blueprint.parse(
            "test",
            "strategy: { select: select.popularity-aware, oracles: {"
                + " size: { policy: oracle.size-bloom, memory: 3MiB },"
                + " popularity: { policy: oracle.popularity-space-saving, memory: 512MiB } },"
                + " order: { policy: order.bottleneck, max-wait: 3s } }",
            Host.node(CLOCK));
    assertThat(blueprint.memoryBytes())
        .containsExactly(
            entry("strategy.oracles.popularity.memory", 512L << 20),
            entry("strategy.oracles.size.memory", 3L << 20));
    assertThat(blueprint.maxWaitNanos()).hasValue(3_000_000_000L);
  }

  @Test
  void aNodesPresetsAreTakenByTheirNames() {
    for (String preset : List.of("manx", "low-fifo", "stock")) {
      String document = "strategy: " + preset;
      assertThat(Blueprint.parse("test", document, Host.node(CLOCK)).build().document())
          .isEqualTo(Strategy.parse("test", document, CLOCK).document());
    }
    assertThatThrownBy(() -> Blueprint.parse("test", "strategy: manks", Host.node(CLOCK)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("strategy = 'manks' is invalid; allowed: a mapping, or a preset: ");
  }

  @Test
  void itReusesTheLearntDataOfEqualOracles() {
    Strategy first = Blueprint.parse("test", StrategyTest.DESIGN, Host.node(CLOCK)).build(null);
    Strategy same =
        Blueprint.parse(
                "test", StrategyTest.DESIGN.replace("select.low", "select.lor"), Host.node(CLOCK))
            .build(first);
    assertThat(same.sizes()).isSameAs(first.sizes());
    Strategy other =
        Blueprint.parse("test", StrategyTest.DESIGN.replace("4MiB", "5MiB"), Host.node(CLOCK))
            .build(first);
    assertThat(other.sizes()).isNotSameAs(first.sizes());
  }
}
