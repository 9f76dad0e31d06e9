/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Measured;
import dev.manx.simulator.Check;
import org.junit.jupiter.api.Test;

class DecisionCountsTest {
  private final Measured measured = new Measured(0, 1);

  /** It leaves the shares as they were: this arm would be a static division. */
  @Test
  void aPolicyThatThrowsFailsTheRun() {
    DecisionCounts before = new DecisionCounts(10, 1, 2, 5, 1);
    new DecisionCounts(110, 11, 52, 25, 4).into(measured, before);
    assertThat(measured.value("deferred_pct")).isEqualTo(10);
    assertThat(measured.value("frozen_pct")).isEqualTo(50);
    assertThat(measured.value("failed_ticks")).isEqualTo(20);
    assertThat(measured.value("failed_moves")).isEqualTo(3);
    assertThat(measured.checks())
        .containsExactly(new Check("decisions without an exception", false, "20 of 100 failed"));
  }

  @Test
  void failuresBeforeTheWindowAreNotOfTheTurn() {
    DecisionCounts before = new DecisionCounts(10, 1, 2, 5, 1);
    before.plus(DecisionCounts.NONE).into(measured, before);
    assertThat(measured.value("failed_ticks")).isZero();
    assertThat(measured.value("deferred_pct")).isNaN();
    assertThat(measured.checks()).allMatch(Check::holds);
  }
}
