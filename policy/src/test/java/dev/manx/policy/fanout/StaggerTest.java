/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Requests;
import dev.manx.policy.config.Values;
import dev.manx.policy.strategy.PolicyMaker;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The time to a tied read's second copy, computed by hand. */
@Timeout(60)
class StaggerTest {
  private static final long MILLI = 1_000_000;
  private final Stagger auto = new Stagger(Values.BY_ITSELF);

  @Test
  void aFixedTimeIsKept() {
    assertThat(new Stagger(0).nanos(ranked(3 * MILLI, 1))).isZero();
    assertThat(new Stagger(5 * MILLI).nanos(ranked(3 * MILLI, 1))).isEqualTo(5 * MILLI);
  }

  @Test
  void autoIsFourMeanServiceTimes() {
    assertThat(auto.nanos(ranked(3 * MILLI, 1))).isEqualTo(12 * MILLI);
    for (int i = 0; i < 5_000; i++) {
      auto.nanos(ranked(5 * MILLI, 1));
    }
    assertThat(auto.nanos(ranked(5 * MILLI, 1)) / 1e6).isCloseTo(20, within(0.001));
  }

  @Test
  void oneRequestHardlyMovesIt() {
    for (int i = 0; i < 5_000; i++) {
      auto.nanos(ranked(2 * MILLI, 1));
    }
    // The mean goes from 2 to 2 + 98 / 256 ms.
    assertThat(auto.nanos(ranked(100 * MILLI, 1)) / 1e6).isCloseTo(4 * 2.383, within(0.01));
  }

  @Test
  void everyReadCountsAlikeWhateverItsRequest() {
    for (int i = 0; i < 5_000; i++) {
      auto.nanos(ranked(2 * MILLI, 1));
      auto.nanos(ofNine(6 * MILLI));
    }
    // A read of 2 ms and nine of 6 ms: 5.6 ms in the mean.
    assertThat(auto.nanos(ranked(2 * MILLI, 1)) / 1e6).isCloseTo(4 * 5.6, within(0.1));
  }

  @Test
  void autoIsTheDefault() {
    FanoutPlanner tied = PolicyMaker.make("fanout.tied");
    Request request = ranked(3 * MILLI, 1);
    tied.plan(request, PolicyMaker.make("select.stock"), new FakeView(4));
    assertThat(request.copyAfterNanos(0)).isEqualTo(12 * MILLI);
    FanoutPlanner fixed = PolicyMaker.make("fanout.tied", "stagger: 2ms");
    fixed.plan(request, PolicyMaker.make("select.stock"), new FakeView(4));
    assertThat(request.copyAfterNanos(0)).isEqualTo(2 * MILLI);
  }

  @Test
  void theTimeOfASlowNodeCounts() {
    assertThat(auto.nanos(ranked(3 * MILLI, 2))).isEqualTo(24 * MILLI);
  }

  @Test
  void autoIsAtLeastAMillisecondAndAtMostAMinute() {
    assertThat(auto.nanos(ranked(10_000, 1))).isEqualTo(MILLI);
    assertThat(new Stagger(Values.BY_ITSELF).nanos(ranked(Long.MAX_VALUE / 8, 4)))
        .isEqualTo(60_000 * MILLI);
  }

  private static Request ofNine(long costNanos) {
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 16);
    for (int i = 0; i < 9; i++) {
      Requests.pinned(request, 0, costNanos);
    }
    return request;
  }

  /** A request of one read, with a node of the given slowness as its first replica. */
  private static Request ranked(long costNanos, double slowness) {
    Request request = Requests.single(new SplittableRandom(1), 0, 1, 2);
    request.forecast(0, 0, costNanos, costNanos);
    new RankedPlanner(Ranking.NONE, false)
        .plan(request, PolicyMaker.make("select.stock"), new FakeView(4));
    request.slowness(0, slowness);
    return request;
  }
}
