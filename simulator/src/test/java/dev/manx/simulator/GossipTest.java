/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.simulator.ModelSpec.Feedback;
import dev.manx.simulator.ModelSpec.Forecasts;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.ModelSpec.Network;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Service;
import dev.manx.simulator.ModelSpec.Speeds;
import dev.manx.simulator.source.Sizes;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.SyntheticSpec;
import dev.manx.simulator.source.Widths;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Coordinators that start cold and exchange their large keys. */
class GossipTest {
  private static final int COORDINATORS = 12;
  private static final int LARGE_KEYS = 500;
  private static final int REQUESTS = 30_000;

  private static final ModelSpec MODEL =
      new ModelSpec(
          6,
          4,
          4,
          3,
          COORDINATORS,
          new Network(50_000, 0, 0),
          new Service(200_000, 1, Scatter.NONE, 0),
          Speeds.EVEN,
          Optional.empty(),
          new Feedback(0, 0.1),
          new Forecasts(Knowledge.STRATEGY, 0, 1, 0, 0),
          ModelSpec.Cpu.FREE,
          List.of(),
          5_000_000_000L);

  private static final SourceSpec SOURCE =
      new SyntheticSpec(
          List.of(Widths.fixed(1, 4, -1)),
          new Sizes.Two(1_000, 1_000_000, 0.05),
          50_000,
          LARGE_KEYS,
          0);

  private static Outcome play(String exchange) {
    String strategy =
        """
        strategy:
          select: select.low
          order: order.bottleneck
          fanout: fanout.brb-equalmax
          oracles: { size: oracle.size-bloom }
          facts: [pending-reads, service-time]
        """
            + exchange;
    RunSpec run = Models.run(MODEL, SOURCE, 0.5, REQUESTS, 3);
    Outcome outcome = new Simulation(MODEL, SOURCE, strategy, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    return outcome;
  }

  /**
   * 12 coordinators see 6,000 large reads of 500 keys, 500 each. A single coordinator meets an
   * unknown key with a probability that falls as {@code (1 - 1/500)^n}; all together know nearly
   * every key after a twelfth of the reads.
   */
  @Test
  void tellingEachOtherTeachesFaster() {
    Outcome alone = play("");
    Outcome together = play("  exchange: { interval: 10ms, peers: 3 }");
    double aloneMissed = alone.metrics().get("large_misjudged_pct");
    double togetherMissed = together.metrics().get("large_misjudged_pct");
    assertThat(aloneMissed).as("seed 3").isBetween(50.0, 70.0);
    assertThat(togetherMissed).as("seed 3").isLessThan(aloneMissed / 3);
    assertThat(together.metrics().get("small_misjudged_pct")).isLessThan(0.1);
    assertThat(together.metrics().get("exchange_bytes_per_message")).isPositive();
    assertThat(alone.metrics()).doesNotContainKey("exchange_kb_per_s");
  }

  @Test
  void gossipIsPartOfTheRun() {
    Outcome one = play("  exchange: { interval: 20ms, peers: 2, most-keys: 8 }");
    Outcome two = play("  exchange: { interval: 20ms, peers: 2, most-keys: 8 }");
    assertThat(two.metrics()).isEqualTo(one.metrics());
    assertThat(two.all().nanos()).isEqualTo(one.all().nanos());
  }
}
