/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class Snitch14459Test {
  private static final long SECOND = 1_000_000_000;
  private static final long MILLI = 1_000_000;

  private final FakeView view = new FakeView(16);
  private Snitch14459Selector snitch = startedAt(0);

  private static Snitch14459Selector startedAt(long nanos) {
    return new Snitch14459Selector(1, 10 * SECOND, SECOND, 5 * SECOND, () -> nanos);
  }

  private int first(long nowNanos) {
    Request request = new Request();
    request.begin(nowNanos, new SplittableRandom(1), 16);
    request.addRead(null, 1, 1);
    request.addReplica(0, 0);
    request.addReplica(1, 0);
    snitch.rank(request, 0, 0, 2, view);
    return request.replica(0, 0);
  }

  @Test
  void leavesTheStockOrderOnlyForAReplicaTwiceAsGood() {
    snitch.answered(1, 1, 2 * MILLI, view);
    snitch.answered(0, 1, 4 * MILLI, view);
    assertThat(first(0)).isZero();
    snitch.answered(0, 1, 5 * MILLI, view);
    assertThat(first(0)).as("4.1 ms against 2").isEqualTo(1);
  }

  @Test
  void aTimeOutCountsAtOnceAndIsNeverForgotten() {
    snitch.answered(1, 1, 2 * MILLI, view);
    snitch.answered(0, 1, 2 * MILLI, view);
    snitch.timedOut(0, 1);
    assertThat(first(SECOND)).isEqualTo(1);
    snitch.tick(view, 700 * SECOND);
    assertThat(first(9 * SECOND)).isEqualTo(1);
  }

  @Test
  void aNodeWithoutReadsForLongGetsOneReadAtATime() {
    snitch.answered(1, 1, 2 * MILLI, view);
    snitch.answered(0, 1, 20 * MILLI, view);
    assertThat(first(SECOND)).isEqualTo(1);
    assertThat(first(10 * SECOND)).as("a probe").isZero();
    assertThat(first(10 * SECOND + 1)).isEqualTo(1);
    assertThat(first(19 * SECOND)).isEqualTo(1);
    assertThat(first(20 * SECOND)).as("the next").isZero();
  }

  /** Otherwise a node that has just started would probe all others, or would never do so. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1_000_000 * SECOND, -1_000_000 * SECOND})
  void theTimeWithoutReadsBeginsWithTheStrategy(long start) {
    snitch = startedAt(start);
    snitch.answered(1, 1, 2 * MILLI, view);
    snitch.answered(0, 1, 2 * MILLI, view);
    assertThat(first(start + SECOND)).as("stock order").isZero();
    assertThat(first(start + 9 * SECOND)).isZero();
    assertThat(first(start + 10 * SECOND)).as("a probe").isEqualTo(1);
  }
}
