/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.Copies;
import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Requests;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.strategy.PolicyMaker;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases of planners with second copies, computed by hand. */
class CopiesTest {
  private static final long MILLI = 1_000_000;
  private final FakeView view = new FakeView(4);

  @Test
  @Timeout(60)
  void aHedgeComesAfterTheQuantileOfItsClass() {
    HedgedPlanner hedged = hedged(10, 0.05);
    assertThat(planned(hedged, MILLI).copyAfterNanos(0)).isEqualTo(10 * MILLI);
    for (int i = 1; i <= 1_000; i++) {
      hedged.answered(MILLI, i * 1_000L, false);
    }
    hedged.tick(view, 0);
    Request request = planned(hedged, MILLI);
    assertThat(request.copies()).isEqualTo(Copies.HEDGED);
    assertThat(request.copyAfterNanos(0) / 1_000.0).isBetween(950.0, 950 * 1.125);
    assertThat(planned(hedged, 4 * MILLI).copyAfterNanos(0))
        .as("other class")
        .isEqualTo(10 * MILLI);
  }

  @Test
  @Timeout(60)
  void oneWideRequestDoesNotMoveTheQuantileOfItsReads() {
    HedgedPlanner hedged = hedged(10, 0.05);
    for (int i = 0; i < 900; i++) {
      hedged.answered(MILLI, MILLI, false);
    }
    // A hundred reads of one request, the last of which takes 50 ms; if each counted with the time
    // of the last, the P95 would be 50 ms.
    for (int i = 0; i < 100; i++) {
      hedged.answered(MILLI, i < 99 ? MILLI : 50 * MILLI, false);
    }
    hedged.tick(view, 0);
    assertThat(hedged.delayNanos(MILLI)).isBetween(MILLI, MILLI * 9 / 8);
  }

  @Test
  @Timeout(60)
  void copiedReadsDoNotPullTheQuantileDown() {
    HedgedPlanner hedged = hedged(10, 1);
    for (int i = 0; i < 1_000; i++) {
      hedged.answered(MILLI, i < 940 ? MILLI : 2 * MILLI, i >= 940);
    }
    hedged.tick(view, 0);
    assertThat(hedged.delayNanos(MILLI))
        .as("the quantile is beyond: unchanged")
        .isEqualTo(10 * MILLI);
  }

  @Test
  @Timeout(60)
  void onlyTheStragglersOfARequestAreHedged() {
    HedgedPlanner hedged = hedged(10, 0.05);
    assertThat(hedged.copiesNow(1, 1, 1)).isTrue();
    assertThat(hedged.copiesNow(20, 1, 1)).isTrue();
    assertThat(hedged.copiesNow(20, 2, 1)).as("one of two is on time").isFalse();
    assertThat(hedged.copiesNow(20, 2, 2)).as("both are late").isTrue();
    assertThat(hedged.copiesNow(100, 5, 1)).isTrue();
    assertThat(hedged.copiesNow(100, 6, 5)).isFalse();
    assertThat(hedged.copyPriority(9 * MILLI, MILLI, 1)).as("its own cost").isEqualTo(MILLI);
    assertThat(hedged.copyPriority(9 * MILLI, MILLI, 5)).isEqualTo(5 * MILLI);
    assertThat(hedged.copyPriority(9 * MILLI, MILLI, 50)).as("never later").isEqualTo(9 * MILLI);
  }

  @Test
  @Timeout(60)
  void successRefillsTheBudgetAndTimeDoesNot() {
    HedgedPlanner hedged = hedged(10, 0.05);
    assertThat(granted(hedged, 100)).as("burst").isEqualTo(10);
    for (int i = 0; i < 100; i++) {
      hedged.answered(MILLI, 11 * MILLI, false);
      assertThat(granted(hedged, 1)).as("all reads are late").isZero();
    }
    for (int i = 0; i < 19; i++) {
      hedged.answered(MILLI, MILLI, false);
    }
    assertThat(granted(hedged, 1)).as("nineteen in time").isZero();
    hedged.answered(MILLI, MILLI, false);
    assertThat(granted(hedged, 2)).as("twenty in time pay for one copy").isEqualTo(1);
  }

  @Test
  @Timeout(60)
  void noCopyGoesToAReplicaWhereItCannotWin() {
    HedgedPlanner hedged = hedged(10, 0.05);
    view.set(FactColumn.WORK_AHEAD, 1, 9 * MILLI + 1);
    assertThat(hedged.mayCopy(MILLI, 10 * MILLI, 0, 1, view, 0)).as("the target is busy").isFalse();
    assertThat(hedged.mayCopy(MILLI, 11 * MILLI, 0, 1, view, 0)).as("the read is older").isTrue();
    assertThat(hedged.mayCopy(MILLI, 10 * MILLI, 0, 2, view, 0)).isTrue();
  }

  /** 40 ms of waiting work take 1.25 ms on 32 threads. */
  @Test
  @Timeout(60)
  void allThreadsOfANodeServeItsQueue() {
    HedgedPlanner hedged = hedged(10, 0.05);
    view.set(FactColumn.WORK_AHEAD, 1, 40 * MILLI);
    assertThat(hedged.mayCopy(MILLI, 10 * MILLI, 0, 1, view, 0)).as("one thread").isFalse();
    hedged.servedAtOnce(32);
    assertThat(hedged.mayCopy(MILLI, 10 * MILLI, 0, 1, view, 0)).isTrue();
    assertThat(hedged.mayCopy(MILLI, 2 * MILLI, 0, 1, view, 0)).as("too young").isFalse();
    view.set(FactColumn.WORK_AHEAD, 1, 32 * 40 * MILLI);
    view.agesNanos[1] = 120 * MILLI;
    assertThat(hedged.mayCopy(MILLI, 10 * MILLI, 0, 1, view, 0)).as("20 ms are left").isFalse();
    view.agesNanos[1] = 131 * MILLI;
    assertThat(hedged.mayCopy(MILLI, 10 * MILLI, 0, 1, view, 0)).as("9 ms are left").isTrue();
  }

  @Test
  @Timeout(60)
  void aQueueReportedLongAgoHasDrained() {
    HedgedPlanner hedged = hedged(10, 0.05);
    view.set(FactColumn.WORK_AHEAD, 1, 100 * MILLI);
    view.agesNanos[1] = 100 * MILLI;
    assertThat(hedged.mayCopy(MILLI, 10 * MILLI, 0, 1, view, 0)).as("as fresh as any").isFalse();
    view.agesNanos[1] = 190 * MILLI;
    assertThat(hedged.mayCopy(MILLI, 10 * MILLI, 0, 1, view, 0)).as("10 ms are left").isFalse();
    view.agesNanos[1] = 1_000 * MILLI;
    assertThat(hedged.mayCopy(MILLI, 10 * MILLI, 0, 1, view, 0)).isTrue();
  }

  @Test
  @Timeout(60)
  void aBudgetNeverHoldsMoreThanItsBurst() {
    CopyBudget budget = new CopyBudget(2, 0.5);
    for (int i = 0; i < 100; i++) {
      budget.succeeded();
    }
    assertThat(budget.take()).isTrue();
    assertThat(budget.take()).isTrue();
    assertThat(budget.take()).isFalse();
    budget.succeeded();
    assertThat(budget.take()).as("half a copy").isFalse();
    budget.succeeded();
    assertThat(budget.take()).isTrue();
  }

  /** Of 20 copies one may be wasted, and ten more at first. */
  @Test
  void copiesThatAreOftenWastedAreFew() {
    CopyBudget budget = new CopyBudget(1_000, 1, 0.05);
    for (int i = 0; i < 10; i++) {
      assertThat(budget.take()).as("copy %d", i).isTrue();
      budget.wasted();
    }
    assertThat(budget.take()).as("10 + 10 / 20 may be wasted").isTrue();
    budget.wasted();
    assertThat(budget.take()).as("11 were").isFalse();
    // 0.45 is missing; each read adds 0.002.
    for (int i = 0; i < 225; i++) {
      assertThat(budget.take()).isFalse();
      budget.succeeded();
    }
    assertThat(budget.take()).isTrue();
  }

  /** 50 wasted copies, each forgotten after 500 reads. */
  @Test
  void aBurstOfWastedCopiesIsForgotten() {
    CopyBudget budget = new CopyBudget(1_000, 1, 0.05);
    for (int i = 0; i < 1_000; i++) {
      budget.wasted();
    }
    for (int i = 0; i < 25_000; i++) {
      assertThat(budget.take()).isFalse();
      budget.succeeded();
    }
    assertThat(budget.take()).isTrue();
  }

  @Test
  void copiesThatAreSeldomWastedAreUnlimited() {
    CopyBudget budget = new CopyBudget(1_000, 1, 0.05);
    for (int i = 0; i < 10_000; i++) {
      assertThat(budget.take()).isTrue();
      if (i % 21 == 0) {
        budget.wasted();
      }
      budget.succeeded();
    }
  }

  @Test
  void aReadWithoutAnotherReplicaIsNeverCopied() {
    for (FanoutPlanner planner :
        new FanoutPlanner[] {
          hedged(1, 1), tied(1, true, Ranking.NONE, false), retry("always", () -> 0)
        }) {
      Request request = Requests.single(new SplittableRandom(1), 3);
      planner.plan(request, PolicyMaker.make("select.stock"), view);
      assertThat(request.copyAfterNanos(0)).isEqualTo(Request.NEVER);
    }
  }

  @Test
  void tiedCopiesComeFromEitherSide() {
    Request request = planned(tied(7, false, Ranking.NONE, false), 1);
    assertThat(request.copies()).isEqualTo(Copies.TIED);
    assertThat(request.copyAfterNanos(0)).isEqualTo(7);
    Request ranked = planned(tied(7, true, Ranking.BRB_EQUALMAX, true), 1);
    assertThat(ranked.copies()).isEqualTo(Copies.FORWARDED);
    assertThat(ranked.tagged()).isTrue();
  }

  @Test
  void tombstonesDropTheCopyThatArrivesLater() {
    Tombstones tombstones = new Tombstones(64, 100);
    tombstones.cancelled(5, 0);
    assertThat(tombstones.drops(6, 1)).isFalse();
    assertThat(tombstones.drops(5, 1)).isTrue();
    assertThat(tombstones.drops(5, 1)).as("exactly once").isFalse();
    tombstones.cancelled(5, 0);
    assertThat(tombstones.drops(5, 100)).as("too late").isFalse();
    for (long id = 0; id < 10_000; id++) {
      tombstones.cancelled(id, id);
    }
    int kept = 0;
    for (long id = 9_900; id < 10_000; id++) {
      kept += tombstones.drops(id, 9_999) ? 1 : 0;
    }
    assertThat(kept).as("bounded, the youngest stay").isBetween(32, 64);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "99p; 99", "min(99p,50ms); 50", "max(99p,50ms); 99", "MAX(99p, 200ms); 200",
        "min(50ms,99percentile); 50", "50ms; 50", "99.9p; 100", "always; 0"
      })
  void cassandrasThresholds(String option, double expectedMillis) {
    AtomicLong now = new AtomicLong();
    SpeculativeRetryPlanner planner = retry(option, now::get);
    for (int i = 1; i <= 100; i++) {
      planner.answered(1, i * MILLI, i % 2 == 0);
    }
    now.set(5_000 * MILLI);
    planner.tick(view, now.get());
    assertThat(planner.afterNanos() / 1e6).isBetween(expectedMillis, expectedMillis * 1.125);
    assertThat(planned(planner, 1).copies()).isEqualTo(Copies.SPECULATIVE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "101p",
        "100p",
        "0p",
        "min(99p,98p)",
        "min(5ms,6ms)",
        "5",
        "99",
        "",
        "99999999999s",
        "min(99p,99999999999s)"
      })
  void cassandraRejects(String option) {
    assertThatThrownBy(() -> SpeculativeThreshold.parse(option))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theThresholdStartsAtHalfTheTimeOutAndForgetsByHalfLives() {
    AtomicLong now = new AtomicLong();
    SpeculativeRetryPlanner planner = retry("50p", now::get);
    assertThat(planner.afterNanos()).isEqualTo(2_500 * MILLI);
    now.addAndGet(5_000 * MILLI);
    planner.tick(view, now.get());
    assertThat(planner.afterNanos()).as("nothing seen").isEqualTo(2_500 * MILLI);
    for (int i = 0; i < 100; i++) {
      planner.answered(1, 100 * MILLI, false);
    }
    for (int tick = 0; tick < 48; tick++) {
      now.addAndGet(5_000 * MILLI);
      planner.tick(view, now.get());
    }
    assertThat(planner.afterNanos() / 1e6).isCloseTo(100, within(13.0));
    // Four half lives later a sixteenth of the old weight is left.
    for (int i = 0; i < 10; i++) {
      planner.answered(1, MILLI, false);
    }
    now.addAndGet(5_000 * MILLI);
    planner.tick(view, now.get());
    assertThat(planner.afterNanos() / 1e6).isCloseTo(1, within(0.13));
    assertThat(planned(retry("none", now::get), 1).copies()).isEqualTo(Copies.NONE);
  }

  /** The P95, 10 ms at first; the last twentieth of a request is hedged. */
  private static HedgedPlanner hedged(long burst, double budget) {
    return new HedgedPlanner(
        new HedgedPlanner.Lateness(0.95, 10 * MILLI, 0.05),
        new CopyBudget(burst, budget),
        null,
        Cancelling.NOTHING,
        new RankedPlanner(Ranking.NONE, false));
  }

  @Test
  void aCoordinatorSendsNoTiedCopyToANodeWithBusyCores() {
    TiedPlanner tied = tied(MILLI, false, Ranking.NONE, false);
    FakeView view = new FakeView(2).set(FactColumn.CORES_IN_USE, 1, 751);
    assertThat(tied.mayCopy(MILLI, MILLI, 0, 1, view, 0)).isFalse();
    view.set(FactColumn.CORES_IN_USE, 1, 750);
    assertThat(tied.mayCopy(MILLI, MILLI, 0, 1, view, 0)).isTrue();
  }

  private static TiedPlanner tied(
      long stagger, boolean byReplica, Ranking ranking, boolean longestFirst) {
    return new TiedPlanner(
        new Stagger(stagger),
        byReplica,
        Cancelling.NOTHING,
        1,
        0.02,
        100,
        new SpareCores(0.75),
        null,
        new RankedPlanner(ranking, longestFirst));
  }

  private static SpeculativeRetryPlanner retry(String option, dev.manx.policy.NanoClock clock) {
    return new SpeculativeRetryPlanner(
        SpeculativeThreshold.parse(option),
        5_000 * MILLI,
        new RankedPlanner(Ranking.NONE, false),
        false,
        clock);
  }

  private Request planned(FanoutPlanner planner, long cost) {
    Request request = Requests.single(new SplittableRandom(1), 0, 1, 2);
    request.forecast(0, 0, cost, cost);
    planner.plan(request, PolicyMaker.make("select.stock"), view);
    return request;
  }

  private int granted(HedgedPlanner hedged, int asked) {
    int granted = 0;
    for (int i = 0; i < asked; i++) {
      granted += hedged.mayCopy(MILLI, 10 * MILLI, 0, 2, view, 0) ? 1 : 0;
    }
    return granted;
  }
}
