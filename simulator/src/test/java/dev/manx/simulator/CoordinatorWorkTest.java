/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.simulator.ModelSpec.Cpu;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Speeds;
import dev.manx.workload.Arrivals;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Coordinators whose work takes time, with all checks passing. */
@Timeout(120)
class CoordinatorWorkTest {
  private static final double MS = 1e6;

  private static Outcome play(
      ModelSpec model, String strategy, double perSecond, long requests, long seed) {
    RunSpec run = new RunSpec(perSecond, Arrivals.FIXED, requests, 0, seed, List.of(), 10, 0, 0);
    Outcome outcome = new Simulation(model, Models.reads(1), strategy, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    return outcome;
  }

  /**
   * Two reads of 10 ms, 0.1 ms apart, on two idle nodes: the second is planned when the first has
   * left.
   */
  @Test
  void aRequestIsPlannedWhenItsCoordinatorHasACoreForIt() {
    ModelSpec model =
        Models.with(
            Models.with(
                Models.bare(2, 1, 2, Scatter.NONE, 0), new Speeds(List.of(0.1, 0.1), 0, 1, 0)),
            new Cpu(0, 1, 1_000_000, 0, 0));
    for (int seed = 1; seed <= 8; seed++) {
      Outcome outcome = play(model, "strategy: { select: select.low }", 10_000, 2, seed);
      assertThat(outcome.all().nanos().getMaxValue() / MS)
          .as("seed %d", seed)
          .isCloseTo(11.9, within(0.02));
    }
  }

  /** A read at a node that hardly serves is answered by its copy, the second message to write. */
  @Test
  void aSecondCopyTakesTheCoordinatorsTime() {
    ModelSpec model =
        Models.with(
            Models.with(
                Models.bare(2, 64, 2, Scatter.NONE, 0), new Speeds(List.of(1e-3, 1.0), 0, 1, 0)),
            new Cpu(0, 1, 0, 1_000_000, 0));
    Outcome outcome =
        play(
            model,
            "strategy: { select: select.primary, fanout: { policy: fanout.speculative-retry,"
                + " threshold: always } }",
            20,
            40,
            1);
    assertThat(outcome.all().nanos().getMinNonZeroValue() / MS).isCloseTo(2, within(0.01));
    assertThat(outcome.all().nanos().getMaxValue() / MS).isCloseTo(3, within(0.01));
  }

  /** A busy coordinator writes many copies only after their reads were answered. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "policy: fanout.hedged, rank: brb-equalmax, first-delay: 1ms",
        "policy: fanout.speculative-retry, threshold: 2ms",
        "policy: fanout.speculative-retry, threshold: always",
        "policy: fanout.tied, stagger: 0ms",
        "policy: fanout.tied, stagger: 200us, sender: replica, rank: brb-equalmax",
        "policy: fanout.tied, stagger: 100us, cancel: started, rank: brb-equalmax",
        "policy: fanout.tied, stagger: 1ms, sender: replica, rescues: 100",
      })
  void copiesOfABusyCoordinatorEnd(String fanout) {
    String strategy =
        "strategy: { select: select.low, order: order.bottleneck, fanout: { " + fanout + " } }";
    ModelSpec model = Models.with(Models.cluster(List.of()), new Cpu(0, 1, 0, 80_000, 40_000));
    RunSpec run = Models.run(model, Models.mixed(), 0.6, 20_000, 1);
    Outcome outcome = new Simulation(model, Models.mixed(), strategy, run).run();
    assertThat(outcome.checks()).as(fanout).allMatch(Check::holds);
    assertThat(outcome.all().errors()).isZero();
  }
}
