/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Measured;
import dev.manx.load.LoadProgress;
import dev.manx.workload.result.Histograms;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** How often a goal is missed. */
class GoalShareTest {
  private final GoalShare share = new GoalShare(50_000_000);

  /** A look half a second after the last. */
  private static LoadProgress look(long outstanding, long... latenciesMillis) {
    Histogram nanos = Histograms.create();
    for (long millis : latenciesMillis) {
      nanos.recordValue(millis * 1_000_000);
    }
    return new LoadProgress(0, 0, 0, 0, 0, 0, 0, 0, outstanding, 500_000_000, nanos);
  }

  private Measured measured() {
    Measured measured = new Measured(0, 1);
    share.into(measured);
    return measured;
  }

  @Test
  void countsLooksBeyondTheGoal() {
    share.add(look(0, 10), 0);
    share.add(look(0, 51), 0);
    assertThat(measured().metrics())
        .extracting(metric -> metric.name() + " " + metric.params() + " " + metric.value())
        .containsExactly(
            "looks_beyond_goal_pct  50.0", "slo_violation_pct goal=p99;slo_ms=50.0 50.0");
  }

  /** A backend that answers nothing for seconds had a better share than one that is slow. */
  @Test
  void aStallMissesTheGoal() {
    share.add(look(0, 10), 0);
    share.add(look(7), 0);
    share.add(look(0), 3);
    assertThat(measured().value("looks_beyond_goal_pct")).isEqualTo(100 * 2 / 3.0);
  }

  @Test
  void idleLooksDoNotCount() {
    share.add(look(0), 0);
    assertThat(measured().metrics()).isEmpty();
  }
}
