/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.Requests;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.fanout.RankedPlanner;
import dev.manx.policy.fanout.Ranking;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code select.low} in the node's actual time, computed by hand. */
@Timeout(30)
class NodeTimeTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final int A = 0;
  private static final int B = 1;

  private final SplittableRandom random = new SplittableRandom(1);
  private final LowSelector low = new LowSelector();

  /** A is twice as slow as B. */
  private static FakeView unequal() {
    return new FakeView(16).set(FactColumn.SLOWNESS, A, 2_000).set(FactColumn.SLOWNESS, B, 1_000);
  }

  private int first(FakeView view) {
    Request request = Requests.single(random, A, B);
    request.forecast(0, 0, MILLI, MILLI);
    low.rank(request, 0, 0, 2, view);
    return request.replica(0, 0);
  }

  @Test
  void theSlowNodesWorkCountsTwice() {
    FakeView view = unequal();
    view.workNanos[A] = 4 * MILLI;
    view.workNanos[B] = 4 * MILLI;
    assertThat(first(view)).as("(4 + 1) * 2 against (4 + 1) * 1").isEqualTo(B);
    view.workNanos[B] = 9 * MILLI - 1;
    assertThat(first(view)).as("just below (9 + 1) * 1").isEqualTo(B);
    view.workNanos[B] = 9 * MILLI + 1;
    assertThat(first(view)).as("the slow node's turn").isEqualTo(A);
  }

  @Test
  void anIdleSlowNodeLosesToAnIdleFastOne() {
    for (int i = 0; i < 100; i++) {
      assertThat(first(unequal())).isEqualTo(B);
    }
  }

  @Test
  void aNodeThatNeverReportedCountsAsTheMeanOfTheOthers() {
    Request request = Requests.single(random, A, B, 2);
    NodeTime.note(request, 0, 3, unequal());
    assertThat(request.slowness(A)).isEqualTo(2);
    assertThat(request.slowness(B)).isEqualTo(1);
    assertThat(request.slowness(2)).isEqualTo(1.5);
    request.begin(0, random, 16);
    assertThat(request.slowness(A)).as("forgotten with the request").isEqualTo(1);
  }

  /** Its own value is no part of the goal: with 3 and 1 it would otherwise stay at 2. */
  @Test
  void oldFactsMoveHalfwayToTheFreshOnesEveryFiveSeconds() {
    ClusterState state = new ClusterState(16);
    state.apply(FactColumn.SLOWNESS, A, 3_000, 0);
    state.apply(FactColumn.SLOWNESS, B, 1_000, 100 * SECOND);
    assertThat(slownessOfA(state, 5 * SECOND)).isCloseTo(3, within(1e-9));
    assertThat(slownessOfA(state, 10 * SECOND)).isCloseTo(2, within(1e-9));
    assertThat(slownessOfA(state, 15 * SECOND)).isCloseTo(1.5, within(1e-9));
    assertThat(slownessOfA(state, 100 * SECOND)).isCloseTo(1, within(1e-3));
  }

  @Test
  void ifAllFactsAreOldTheyMoveToTheirMean() {
    ClusterState state = new ClusterState(16);
    state.apply(FactColumn.SLOWNESS, A, 3_000, 0);
    state.apply(FactColumn.SLOWNESS, B, 1_000, 0);
    // By hand: 3 counts as 2 in the mean, which is 1.5.
    assertThat(slownessOfA(state, 10 * SECOND)).isCloseTo(2.25, within(1e-9));
    assertThat(slownessOfA(state, 100 * SECOND)).isCloseTo(1.5, within(1e-3));
  }

  private double[] slownesses(FakeView view) {
    Request request = Requests.single(random, A, B, 2);
    NodeTime.note(request, 0, 3, view);
    return new double[] {request.slowness(A), request.slowness(B), request.slowness(2)};
  }

  private static FakeView reported(long... thousandths) {
    FakeView view = new FakeView(16);
    for (int node = 0; node < thousandths.length; node++) {
      view.set(FactColumn.SLOWNESS, node, thousandths[node]);
    }
    return view;
  }

  /** In the mean 50 counts as 2, so it is 4/3; if it were 17, the others would count 4.3 times. */
  @Test
  void oneVerySlowNodeDoesNotChangeHowTheOthersCount() {
    assertCounts(reported(50_000, 1_000, 1_000), 16 * 4 / 3.0, 1, 1);
    assertCounts(reported(8_000, 8_000, 1_000), 8, 8, 1);
    // The third never reported, as after a restart.
    assertCounts(reported(50_000, 1_000), 50, 1, 1.5);
  }

  /** Of 1.25, 1 and 1 the first is 1.154 times the mean, which counts as 1.108 times. */
  @Test
  void aNodeIsComparedWithAMeanThatItIsPartOf() {
    double mean = 3.25 / 3;
    assertCounts(reported(1_250, 1_000, 1_000), 1.2, mean, mean);
  }

  private void assertCounts(FakeView view, double... expected) {
    assertThat(slownesses(view)).containsExactly(expected, within(1e-9));
  }

  /** By its own value, the mean of 20, 1 and 1 would be 7.3, and the others would count 1.8. */
  @Test
  void aNodeThatWasSlowWhenItFellSilentComesBackAsOneOfTheOthers() {
    FakeView view = reported(20_000, 1_000, 1_000);
    view.agesNanos[A] = 10 * SECOND;
    assertThat(slownesses(view)).containsExactly(8.5, 1, 1);
    view.agesNanos[A] = 3_600 * SECOND;
    assertThat(slownesses(view)[A]).isCloseTo(1, within(1e-9));
  }

  private double slownessOfA(ClusterState state, long nowNanos) {
    Request request = new Request();
    request.begin(nowNanos, random, 16);
    request.addRead(null, 1, 1);
    request.addReplica(A, 0);
    request.addReplica(B, 0);
    NodeTime.note(request, 0, 2, state);
    return request.slowness(A);
  }

  @Test
  void noNodeCountsAsMoreThanFourTimesAsFastAsTheMean() {
    FakeView view = new FakeView(16).set(FactColumn.SLOWNESS, A, 1);
    view.set(FactColumn.SLOWNESS, B, 1_999);
    Request request = Requests.single(random, A, B);
    NodeTime.note(request, 0, 2, view);
    assertThat(request.slowness(A)).isEqualTo(0.25);
    assertThat(request.slowness(B)).isCloseTo(1.999, within(1e-9));
  }

  @Test
  void differencesOfLessThanATenthAreIgnoredAndThoseOfMoreThanAFifthCountInFull() {
    assertThat(NodeTime.withoutNoise(1.09)).isEqualTo(1);
    assertThat(NodeTime.withoutNoise(1 / 1.09)).isEqualTo(1);
    assertThat(NodeTime.withoutNoise(1.15)).isCloseTo(1.1, within(1e-9));
    assertThat(NodeTime.withoutNoise(1 / 1.15)).isCloseTo(1 / 1.1, within(1e-9));
    assertThat(NodeTime.withoutNoise(1.2)).isCloseTo(1.2, within(1e-9));
    assertThat(NodeTime.withoutNoise(3)).isEqualTo(3);
  }

  @Test
  void equalNodesAreChosenAsIfNoneHadReported() {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom draw = new SplittableRandom(seed);
      FakeView silent = new FakeView(16);
      FakeView equal = new FakeView(16);
      long slowness = draw.nextLong(1, 10_000);
      for (int node = 0; node < 5; node++) {
        silent.workNanos[node] = draw.nextLong(10) * MILLI;
        equal.workNanos[node] = silent.workNanos[node];
        equal.set(FactColumn.SLOWNESS, node, slowness);
      }
      assertThat(ranking(equal, seed)).as("seed %d", seed).isEqualTo(ranking(silent, seed));
    }
  }

  private int[] ranking(FakeView view, long seed) {
    Request request = Requests.single(new SplittableRandom(seed), 0, 1, 2, 3, 4);
    request.forecast(0, 0, MILLI, MILLI);
    low.rank(request, 0, 0, 5, view);
    return Requests.ranking(request, 0);
  }

  @Test
  void anOpsetOnASlowNodeIsTheBottleneckThoughItsForecastIsNot() {
    Request request = new Request();
    request.begin(0, random, 16);
    Requests.pinned(request, A, 2 * MILLI);
    Requests.pinned(request, B, 3 * MILLI);
    // A node that is the only replica cannot be compared with another, and still is slow.
    new RankedPlanner(Ranking.byBottleneck(Unit.NANOS), false).plan(request, low, unequal());
    assertThat(request.bottleneck()).isEqualTo(4 * MILLI);
    assertThat(request.priority(1)).isEqualTo(4 * MILLI);
    assertThat(request.slack(0)).isZero();
    assertThat(request.slack(1)).isEqualTo(MILLI);
  }

  @Test
  void keysAreCountedUnchanged() {
    Request request = new Request();
    request.begin(0, random, 16);
    int read = request.addRead(null, 1, 1);
    request.addReplica(A, 0);
    request.forecast(read, 0, MILLI, 1);
    new RankedPlanner(Ranking.byBottleneck(Unit.KEYS), false).plan(request, low, unequal());
    assertThat(request.bottleneck()).isEqualTo(1);
  }
}
