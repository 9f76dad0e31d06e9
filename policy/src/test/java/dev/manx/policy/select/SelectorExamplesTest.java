/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Requests;
import dev.manx.policy.SplitMix;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.Fact;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.Facts;
import dev.manx.policy.facts.WireTest;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Cases of selectors, computed by hand. */
class SelectorExamplesTest {
  private static final long MILLI = 1_000_000;
  private static final long SEED = 42;
  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void stockLeavesTheOrder() {
    assertThat(rank(new StockSelector(), new FakeView(3), 2, 0, 1)).containsExactly(2, 0, 1);
  }

  @Test
  void randomDrawsUniformlyAndKeepsTheRestInOrder() {
    int[] first = new int[3];
    for (int i = 0; i < 30_000; i++) {
      int[] ranking = rank(new RandomSelector(), new FakeView(3), 0, 1, 2);
      first[ranking[0]]++;
      assertThat(ranking[1]).as("rest in stock order").isLessThan(ranking[2]);
    }
    for (int node = 0; node < 3; node++) {
      assertThat(first[node]).as("seed %d node %d", SEED, node).isCloseTo(10_000, within(245));
    }
  }

  @Test
  void lorNeverTakesTheBusyNodeAndBreaksTiesEvenly() {
    FakeView view = new FakeView(3);
    view.reads[0] = 2;
    int[] first = firsts(new LorSelector(), view, 10_000);
    assertThat(first[0]).isZero();
    assertThat(first[1]).as("seed %d", SEED).isCloseTo(5_000, within(150));
  }

  @Test
  void lorCountsReadsPlannedForTheSameRequest() {
    FakeView view = new FakeView(16);
    view.reads[1] = 1;
    Request request = Requests.single(random, 0, 1);
    request.assign(0);
    request.assign(0);
    new LorSelector().rank(request, 0, 0, 2, view);
    assertThat(Requests.ranking(request, 0)).containsExactly(1, 0);
  }

  @Test
  void lowWeighsReadsByTheirForecast() {
    FakeView view = new FakeView(3);
    view.reads[0] = 1;
    view.workNanos[0] = 40_000_000;
    view.reads[1] = 5;
    view.workNanos[1] = 5_000_000;
    view.reads[2] = 20;
    view.workNanos[2] = 20_000_000;
    assertThat(rank(new LowSelector(), view, 0, 1, 2)).containsExactly(1, 2, 0);
  }

  @Test
  void lowCountsWorkPlannedForTheSameRequest() {
    FakeView view = new FakeView(16);
    view.workNanos[1] = 9;
    Request request = Requests.single(random, 0, 1);
    request.forecast(0, 0, 10, 10);
    request.assign(0);
    new LowSelector().rank(request, 0, 0, 2, view);
    assertThat(Requests.ranking(request, 0)).containsExactly(1, 0);
  }

  @Test
  void lowIsNotBlindedByANodeThatReportsNonsense() {
    ClusterState state = new ClusterState(3, 16);
    state.apply(FactColumn.SLOWNESS, 0, 1_000, 0);
    state.apply(FactColumn.SLOWNESS, 1, 1_000, 0);
    assertThat(new Facts(Fact.ALL).decode(WireTest.extreme(), state, 2, 0)).isTrue();
    state.tickets().open(1, 0, 5_000_000, 0, 0, Long.MAX_VALUE);
    state.tickets().open(2, 1, 1_000_000, 0, 0, Long.MAX_VALUE);
    state.tickets().open(3, 2, 1_000_000, 0, 0, Long.MAX_VALUE);
    assertThat(rank(new LowSelector(), state, 2, 0, 1)).containsExactly(1, 0, 2);
  }

  @Test
  void lowStaysAtHomeUntilTheWaitThereExceedsThePriceOfTheHop() {
    FakeView view = new FakeView(3);
    view.set(FactColumn.HOP_PRICE, 1, 3 * MILLI).set(FactColumn.HOP_PRICE, 2, 4 * MILLI);
    assertThat(rank(new LowSelector(), view, 2, 1, 0)).as("idle").containsExactly(0, 1, 2);
    view.workNanos[0] = 3 * MILLI - 1;
    assertThat(rank(new LowSelector(), view, 2, 1, 0)[0]).isEqualTo(0);
    view.workNanos[0] = 3 * MILLI + 1;
    assertThat(rank(new LowSelector(), view, 2, 1, 0)).containsExactly(1, 0, 2);
  }

  @Test
  void c3ScoresAreThoseOfThePaper() {
    assertThat(C3Selector.score(6, 2, 3, 1, 2)).isEqualTo(436);
    assertThat(C3Selector.score(12, 8, 0, 1, 2)).isEqualTo(220);
  }

  @Test
  void c3PrefersTheSlowNodeWithTheShortQueue() {
    FakeView view = new FakeView(2);
    view.set(FactColumn.SERVICE_TIME, 0, 2).set(FactColumn.PENDING_READS, 0, 3);
    view.set(FactColumn.SERVICE_TIME, 1, 8).set(FactColumn.PENDING_READS, 1, 0);
    view.reads[0] = 1;
    view.reads[1] = 1;
    C3Selector c3 = new C3Selector(1, 2);
    c3.answered(0, 0, 6, view);
    c3.answered(1, 0, 12, view);
    assertThat(rank(c3, view, 0, 1)).containsExactly(1, 0);
    assertThat(c3.score(Requests.single(random, 0), 0, 0, view))
        .as("the score in use is the score of the formula")
        .isEqualTo(Double.doubleToLongBits(436));
  }

  /** Otherwise a node would never be asked again, because it has reported a long queue. */
  @Test
  void c3ForgetsAQueueReportedLongAgo() {
    FakeView view = new FakeView(2);
    view.set(FactColumn.SERVICE_TIME, 0, MILLI).set(FactColumn.PENDING_READS, 0, 50);
    view.set(FactColumn.SERVICE_TIME, 1, MILLI).set(FactColumn.PENDING_READS, 1, 4);
    C3Selector c3 = new C3Selector(1, 2);
    c3.answered(0, 0, 3 * MILLI, view);
    c3.answered(1, 0, 3 * MILLI, view);
    view.agesNanos[0] = 1_000 * MILLI;
    assertThat(rank(c3, view, 0, 1)).as("a second old").containsExactly(1, 0);
    view.agesNanos[0]++;
    assertThat(rank(c3, view, 0, 1)).containsExactly(0, 1);
    assertThat(c3.score(Requests.single(random, 0), 0, 0, view))
        .as("3 - 3 + 3: no queue, and the response time as service time")
        .isEqualTo(Double.doubleToLongBits(3.0 * MILLI));
    c3.answered(0, 0, 5 * MILLI, view);
    assertThat(c3.score(Requests.single(random, 0), 0, 0, view))
        .as("it answers without a report")
        .isEqualTo(Double.doubleToLongBits(5.0 * MILLI));
    view.agesNanos[0] = 0;
    c3.answered(0, 0, 3 * MILLI, view);
    assertThat(rank(c3, view, 0, 1)).as("it reports again").containsExactly(1, 0);
  }

  /** A node that hangs from the start can be judged only by its timed-out reads. */
  @Test
  void c3LeavesANodeThatNeverAnsweredWhenAReadTimesOut() {
    FakeView view = new FakeView(2);
    view.set(FactColumn.SERVICE_TIME, 1, MILLI).set(FactColumn.PENDING_READS, 1, 4);
    C3Selector c3 = new C3Selector(1, 2);
    c3.answered(1, 0, 5 * MILLI, view);
    assertThat(rank(c3, view, 0, 1)).as("not tried yet").containsExactly(0, 1);
    c3.timedOut(0, 0);
    assertThat(rank(c3, view, 0, 1)).containsExactly(1, 0);
    view.set(FactColumn.SERVICE_TIME, 0, MILLI).set(FactColumn.PENDING_READS, 0, 0);
    c3.answered(0, 0, 2 * MILLI, view);
    assertThat(rank(c3, view, 0, 1)).as("answers at last").containsExactly(0, 1);
    c3.timedOut(0, 0);
    assertThat(rank(c3, view, 0, 1)).as("known by its answers").containsExactly(0, 1);
  }

  @Test
  void c3SmoothsWithTheWeightOnTheNewSample() {
    FakeView view = new FakeView(1);
    C3Selector c3 = new C3Selector(0.9, 1);
    // Without a queue and with service time = response time, the score equals the mean.
    c3.answered(0, 0, 10, view);
    assertThat(c3Mean(c3, view)).isCloseTo(9, within(1e-9));
    c3.answered(0, 0, 20, view);
    assertThat(c3Mean(c3, view)).isCloseTo(18.9, within(1e-9));
  }

  @Test
  void c3ExploresNodesThatNeverAnsweredOrWereForgotten() {
    FakeView view = new FakeView(3);
    view.reads[1] = 2;
    view.reads[2] = 1;
    C3Selector c3 = new C3Selector(0.9, 1);
    c3.answered(0, 0, 5, view);
    assertThat(rank(c3, view, 0, 1, 2)).as("fewer outstanding first").containsExactly(2, 1, 0);
    c3.answered(1, 0, 50, view);
    c3.answered(2, 0, 500, view);
    c3.forgotten(2);
    assertThat(rank(c3, view, 0, 1, 2)[0]).isEqualTo(2);
  }

  /**
   * Hector's reading: 250 reads ended in 500 ms are 2 ms each; 10 reads in a second make an idle
   * node look slow; above 1000 a second the time is 0 ms, and with response times below 1 ms all
   * scores are 0.
   */
  @Test
  void c3AsHectorTookItTakesTheTimeBetweenEndsInWholeMilliseconds() {
    AtomicLong now = new AtomicLong();
    C3Selector c3 = hectors(now);
    FakeView view = new FakeView(4);
    for (int node = 0; node < 4; node++) {
      view.set(FactColumn.PENDING_READS, node, 0).set(FactColumn.COMPLETED_READS, node, 100);
      c3.answered(node, 0, 3 * MILLI, view);
    }
    c3.tick(view, 100 * MILLI);
    assertThat(c3.score(0, 0, view, now.get())).as("one count is not enough").isEqualTo(-1);
    now.set(500 * MILLI);
    view.set(FactColumn.COMPLETED_READS, 0, 350);
    c3.answered(0, 0, 5_900_000, view);
    now.set(1000 * MILLI);
    view.set(FactColumn.COMPLETED_READS, 1, 110).set(FactColumn.COMPLETED_READS, 2, 1101);
    view.set(FactColumn.COMPLETED_READS, 3, 5_000);
    c3.answered(1, 0, 900_000, view);
    c3.answered(2, 0, 900_000, view);
    c3.answered(3, 0, 100_000, view);
    assertThat(c3.score(0, 0, view, now.get())).as("medians come with the tick").isEqualTo(-1);
    c3.tick(view, 1000 * MILLI);
    assertThat(c3.score(0, 0, view, now.get())).as("5 - 2 + 2").isEqualTo(5.0 * MILLI);
    assertThat(c3.score(0, 1, view, now.get())).as("0 - 100 + 1 * 100").isZero();
    assertThat(c3.score(1, 1, view, now.get())).as("0 - 100 + 8 * 100").isEqualTo(700.0 * MILLI);
    assertThat(c3.score(9, 2, view, now.get())).isZero();
    assertThat(c3.score(0, 3, view, now.get())).isZero();
    assertThat(rank(c3, view, 3, 2)).as("stock order").containsExactly(3, 2);
    assertThat(rank(c3, view, 2, 3)).as("stock order").containsExactly(2, 3);
    c3.forgotten(2);
    assertThat(c3.score(0, 2, view, now.get())).isEqualTo(-1);
  }

  @Test
  void c3RoundedToZeroDoesNotCountAsUnknown() {
    FakeView view = new FakeView(2);
    C3Selector.Reading rounded = new C3Selector.Reading(false, MILLI, false, true);
    C3Selector c3 = new C3Selector(0.9, 1, rounded, () -> 0, new SplitMix(1));
    view.set(FactColumn.SERVICE_TIME, 0, 300_000);
    c3.answered(0, 0, 900_000, view);
    view.reads[1] = 5;
    assertThat(rank(c3, view, 0, 1)).as("1 never got a read").containsExactly(1, 0);
  }

  private static C3Selector hectors(AtomicLong now) {
    C3Selector.Reading reading = new C3Selector.Reading(true, MILLI, true, false);
    return new C3Selector(0.9, 1, reading, now::get, new SplitMix(1));
  }

  @Test
  void c3CountsReadsPlannedForTheSameRequest() {
    FakeView view = new FakeView(16);
    C3Selector c3 = new C3Selector(1, 1);
    c3.answered(0, 0, 10, view);
    c3.answered(1, 0, 11, view);
    Request request = Requests.single(random, 0, 1);
    c3.rank(request, 0, 0, 2, view);
    assertThat(Requests.ranking(request, 0)).containsExactly(0, 1);
    request.assign(0);
    c3.rank(request, 0, 0, 2, view);
    assertThat(Requests.ranking(request, 0)).containsExactly(1, 0);
  }

  @Test
  void scoresDoNotDependOnTheUnitOfTime() {
    for (long scale : new long[] {1, 1_000, 1_000_000}) {
      FakeView view = new FakeView(3);
      C3Selector c3 = new C3Selector(0.9, 1);
      long[] response = {30, 10, 20};
      for (int node = 0; node < 3; node++) {
        view.set(FactColumn.SERVICE_TIME, node, (node + 1) * scale);
        view.workNanos[node] = response[node] * scale;
        c3.answered(node, 0, response[node] * scale, view);
      }
      assertThat(rank(c3, view, 0, 1, 2)).as("scale %d", scale).containsExactly(1, 2, 0);
      assertThat(rank(new LowSelector(), view, 0, 1, 2)).containsExactly(1, 2, 0);
    }
  }

  private double c3Mean(C3Selector c3, FakeView view) {
    return Double.longBitsToDouble(c3.score(Requests.single(random, 0), 0, 0, view));
  }

  private int[] rank(Selector selector, ClusterView view, int... replicas) {
    Request request = Requests.single(random, replicas);
    selector.rank(request, 0, 0, replicas.length, view);
    return Requests.ranking(request, 0);
  }

  private int[] firsts(Selector selector, FakeView view, int draws) {
    int[] first = new int[3];
    for (int i = 0; i < draws; i++) {
      first[rank(selector, view, 0, 1, 2)[0]]++;
    }
    return first;
  }
}
