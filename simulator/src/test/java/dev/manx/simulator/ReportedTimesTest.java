/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.oracle.Forecast;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Service;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.source.Sizes;
import dev.manx.simulator.source.Source;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.SyntheticSpec;
import dev.manx.simulator.source.Widths;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As on a node, the strategy and not the workload defines the reads that count as large. */
@Timeout(60)
class ReportedTimesTest {
  private static final int SMALL_BYTES = 1_000;
  private static final int LARGE_BYTES = 9_000;

  /** A tenth of the reads take 9 ms, all others 1 ms; for the classes of requests all are small. */
  private static final SourceSpec TWO_SIZES =
      new SourceSpec() {
        private final SourceSpec two =
            new SyntheticSpec(
                List.of(Widths.fixed(1, 1, -1)),
                new Sizes.Two(SMALL_BYTES, LARGE_BYTES, 0.1),
                1_000,
                100,
                0);

        @Override
        public Source open(Streams streams, int nodes, long run) {
          return two.open(streams, nodes, run);
        }

        @Override
        public double meanReads() {
          return 1;
        }

        @Override
        public double meanBytes() {
          return two.meanBytes();
        }

        @Override
        public int largeFromBytes() {
          return Integer.MAX_VALUE;
        }
      };

  private static Forecast learnt(String oracles) {
    ModelSpec bare = Models.bare(3, 2, 3, Scatter.NONE, 0);
    ModelSpec model =
        new ModelSpec(
            bare.nodes(),
            bare.cores(),
            bare.readThreads(),
            bare.replicationFactor(),
            bare.coordinators(),
            bare.network(),
            new Service(0, 1_000, Scatter.NONE, 0),
            bare.speeds(),
            bare.cache(),
            new ModelSpec.Feedback(0, 0.01),
            bare.forecast(),
            bare.cpu(),
            bare.faults(),
            bare.timeoutNanos());
    World[] worlds = new World[1];
    new Simulation(
            model,
            TWO_SIZES,
            "strategy: { facts: [service-time]" + oracles + " }",
            Models.run(model, TWO_SIZES, 0.5, 20_000, 1),
            new Checks(),
            (world, id, order) -> {
              worlds[0] = world;
              return new Replica(world, id, order);
            })
        .run();
    return worlds[0].coordinators[0].strategy.forecast();
  }

  @Test
  void aNodeReportsTheTimesOfTheReadsThatItsStrategyCallsLarge() {
    Forecast forecast =
        learnt(", oracles: { size: { policy: oracle.size-bloom, large-above: 4KiB } }");
    assertThat(forecast.smallNanos()).isEqualTo(1_000L * SMALL_BYTES);
    assertThat(forecast.largeNanos()).isEqualTo(1_000L * LARGE_BYTES);
  }

  @Test
  void withoutAnOracleNoReadIsLarge() {
    Forecast forecast = learnt("");
    assertThat(forecast.smallNanos()).isBetween(1_200_000L, 2_600_000L);
    assertThat(forecast.largeNanos()).as("the default").isEqualTo(4_000_000);
  }
}
