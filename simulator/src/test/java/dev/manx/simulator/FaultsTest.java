/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.simulator.ModelSpec.Fault;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Trouble;
import dev.manx.simulator.source.SourceSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes that die, stand still or slow down, with every checker still content. */
class FaultsTest {
  private static final long SECOND = 1_000_000_000L;

  private static Outcome play(ModelSpec model, SourceSpec source, double load) {
    Outcome outcome =
        new Simulation(
                model, source, Models.LOW_EQUALMAX, Models.run(model, source, load, 10_000, 1))
            .run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    return outcome;
  }

  @Test
  void deadNodeCostsItsReadsAndNoOthers() {
    Fault dead = new Fault(2, Trouble.DEAD, SECOND / 4, SECOND / 2, 1);
    Outcome outcome = play(Models.cluster(List.of(dead)), Models.mixed(), 0.5);
    assertThat(outcome.metrics().get("reads_lost")).isPositive();
    assertThat(outcome.all().errors()).isPositive().isLessThan(outcome.all().count() / 2);
    assertThat(outcome.all().nanos().getTotalCount())
        .isEqualTo(outcome.all().count() - outcome.all().errors());
  }

  @Test
  void slowNodeServesSlowly() {
    Fault slow = new Fault(0, Trouble.SLOW, 0, 86_400 * SECOND, 0.5);
    ModelSpec even = Models.bare(1, 1, 1, Scatter.NONE, 0);
    ModelSpec model =
        new ModelSpec(
            1,
            1,
            1,
            1,
            even.network(),
            even.service(),
            even.speeds(),
            even.cache(),
            even.feedback(),
            even.forecast(),
            List.of(slow),
            SECOND);
    assertThat(play(even, Models.reads(1), 0.001).all().meanNanos()).isBetween(1.0e6, 1.01e6);
    assertThat(play(model, Models.reads(1), 0.001).all().meanNanos()).isBetween(2.0e6, 2.02e6);
  }

  @Test
  void pausedNodeGoesOnWhereItWas() {
    Fault pause = new Fault(0, Trouble.PAUSED, 10 * SECOND, 11 * SECOND, 1);
    ModelSpec even = Models.bare(1, 1, 1, Scatter.NONE, 0);
    ModelSpec model =
        new ModelSpec(
            1,
            1,
            1,
            1,
            even.network(),
            even.service(),
            even.speeds(),
            even.cache(),
            even.feedback(),
            even.forecast(),
            List.of(pause),
            SECOND);
    Outcome outcome = play(model, Models.reads(1), 0.2);
    assertThat(outcome.all().errors()).isZero();
    assertThat(outcome.all().nanos().getMaxValue()).isBetween(990_000_000L, 1_300_000_000L);
  }
}
