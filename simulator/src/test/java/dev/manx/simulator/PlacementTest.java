/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Speeds;
import dev.manx.simulator.source.Sizes;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.SyntheticSpec;
import dev.manx.simulator.source.Widths;
import dev.manx.workload.Arrivals;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The nodes of keys. */
class PlacementTest {
  /** A fast node and one of half its speed; the only key is on one of them. */
  private static long meanMillis(long placementSeed, long seed) {
    ModelSpec model =
        Models.with(Models.bare(2, 1, 1, Scatter.NONE, 0), new Speeds(List.of(1.0, 0.5), 0, 1, 0))
            .placed(placementSeed);
    SourceSpec source =
        new SyntheticSpec(List.of(Widths.fixed(1, 1, -1)), new Sizes.Two(1_000, 1_001, 0), 1, 0, 0);
    RunSpec run = new RunSpec(100, Arrivals.FIXED, 20, 0, seed, List.of(), 10, 0, 0);
    Outcome outcome = new Simulation(model, source, Models.RANDOM, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    return Math.round(outcome.all().meanNanos() / 1e6);
  }

  @Test
  void aSeedOfThePlacementPutsKeysOnOtherNodes() {
    Set<Long> means = new TreeSet<>();
    for (int placement = 0; placement < 10; placement++) {
      means.add(meanMillis(placement, 1));
    }
    assertThat(means).containsExactly(1L, 2L);
  }

  @Test
  void allSeedsOfARunHaveOnePlacement() {
    for (int placement = 0; placement < 4; placement++) {
      Set<Long> means = new TreeSet<>();
      for (int seed = 1; seed <= 5; seed++) {
        means.add(meanMillis(placement, seed));
      }
      assertThat(means).as("placement %d", placement).hasSize(1);
    }
  }
}
