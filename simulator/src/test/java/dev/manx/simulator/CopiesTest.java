/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.simulator.ModelSpec.Fault;
import dev.manx.simulator.ModelSpec.Trouble;
import dev.manx.simulator.source.SourceSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Second copies, gates and bounds, with every checker content. */
class CopiesTest {
  private static Outcome play(String fanout, double load, List<Fault> faults) {
    String strategy =
        "strategy: { select: select.low, order: order.bottleneck, fanout: { " + fanout + " } }";
    ModelSpec model = Models.cluster(faults);
    SourceSpec source = Models.mixed();
    Outcome outcome =
        new Simulation(model, source, strategy, Models.run(model, source, load, 20_000, 1)).run();
    assertThat(outcome.checks()).as(fanout).allMatch(Check::holds);
    return outcome;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "policy: fanout.hedged, rank: brb-equalmax",
        "policy: fanout.speculative-retry, threshold: 2ms",
        "policy: fanout.speculative-retry, threshold: always",
        "policy: fanout.tied, stagger: 0ms",
        "policy: fanout.tied, stagger: 500us, rank: brb-equalmax",
        "policy: fanout.tied, stagger: 200us, sender: replica, rank: brb-equalmax",
      })
  void copiesEndAndAreCounted(String fanout) {
    for (double load : new double[] {0.2, 0.6}) {
      Outcome outcome = play(fanout, load, List.of());
      assertThat(outcome.metrics().get("copies_pct")).isPositive();
      assertThat(outcome.all().errors()).isZero();
      assertThat(outcome.metrics().get("messages_per_read")).isGreaterThan(2);
    }
  }

  @Test
  void tiedCopiesSeldomRunTwice() {
    Outcome always = play("policy: fanout.speculative-retry, threshold: always", 0.3, List.of());
    Outcome tied = play("policy: fanout.tied, stagger: 200us", 0.3, List.of());
    assertThat(always.metrics().get("wasted_reads_pct"))
        .isGreaterThan(4 * tied.metrics().get("wasted_reads_pct"));
  }

  @Test
  void copySavesReadsOfADeadNode() {
    Fault dead = new Fault(2, Trouble.DEAD, 500_000_000L, 800_000_000L, 1);
    long without = play("policy: fanout.brb-equalmax", 0.3, List.of(dead)).all().errors();
    long with =
        play("policy: fanout.speculative-retry, threshold: 5ms", 0.3, List.of(dead)).all().errors();
    assertThat(without).isPositive();
    assertThat(with).isLessThan(without);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "policy: fanout.brb-credits, node-cores: 2, clients: 3",
        "policy: fanout.brb-credits, node-cores: 2, clients: 3, per: subtask",
        "policy: fanout.tailx-hold",
        "policy: fanout.tailx-slack",
      })
  void heldReadsAreSent(String fanout) {
    assertThat(play(fanout, 0.6, List.of()).all().errors()).isZero();
  }

  @Test
  void boundIsNoWorseThanAnyPolicy() {
    ModelSpec model = Models.cluster(List.of());
    SourceSpec source = Models.mixed();
    RunSpec run = Models.run(model, source, 0.7, 20_000, 1);
    Outcome ideal =
        new Simulation(model, source, "strategy: { bound: bound.ideal-equalmax }", run).run();
    Outcome random = new Simulation(model, source, Models.RANDOM, run).run();
    assertThat(ideal.checks()).allMatch(Check::holds);
    assertThat(ideal.all().meanNanos()).isLessThan(random.all().meanNanos() / 2);
  }
}
