/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.FakeView;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The delay of hedges, whose copied reads have unknown latencies. */
@Timeout(60)
class HedgedDelayTest {
  private static final long MILLI = 1_000_000;
  private final FakeView view = new FakeView(4);

  /** Half of the reads become slower than the delay, and all of them are copied if possible. */
  @ParameterizedTest
  @CsvSource({"0.95, 0.05", "0.99, 0.01"})
  void theDelayFollowsSlowerReadsIfTheBudgetIsTheShareOfLateOnes(double after, double budget) {
    HedgedPlanner hedged =
        new HedgedPlanner(
            new HedgedPlanner.Lateness(after, 10 * MILLI, 0.05),
            new CopyBudget(10, budget),
            null,
            Cancelling.NOTHING,
            new RankedPlanner(Ranking.NONE, false));
    for (int i = 0; i < 10_000; i++) {
      hedged.answered(MILLI, MILLI, false);
    }
    hedged.tick(view, 0);
    assertThat(hedged.delayNanos(MILLI)).isBetween(MILLI, MILLI * 9 / 8);
    int copies = 0;
    for (int i = 0; i < 40_000; i++) {
      long nanos = i % 2 == 0 ? MILLI / 2 : 2 * MILLI;
      boolean late = nanos > hedged.delayNanos(MILLI);
      boolean copied = late && hedged.mayCopy(MILLI, nanos, 1, 2, view, 0);
      copies += copied ? 1 : 0;
      hedged.answered(MILLI, nanos, copied);
      if (i % 100 == 0) {
        hedged.tick(view, 0);
      }
    }
    assertThat(hedged.delayNanos(MILLI)).isBetween(2 * MILLI, 2 * MILLI * 9 / 8);
    assertThat(copies).as("burst, and a part of the reads in time").isBetween(10, 2_010);
  }
}
