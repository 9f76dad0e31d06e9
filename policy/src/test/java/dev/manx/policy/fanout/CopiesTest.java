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
import dev.manx.policy.select.StockSelector;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hand-computed cases of the policy catalogue, section 5. */
class CopiesTest {
  private static final long MILLI = 1_000_000;
  private final FakeView view = new FakeView(4);

  @Test
  void aHedgeComesAfterTheQuantileOfItsClass() {
    HedgedPlanner hedged = new HedgedPlanner(0.95, 10 * MILLI, 0.05, 10, Ranking.NONE, false);
    assertThat(planned(hedged, MILLI).copyAfterNanos(0)).isEqualTo(10 * MILLI);
    for (int i = 1; i <= 1_000; i++) {
      hedged.answered(MILLI, i * 1_000L, false);
    }
    hedged.tick(view, 0);
    Request request = planned(hedged, MILLI);
    assertThat(request.copies()).isEqualTo(Copies.HEDGED);
    assertThat(request.copyAfterNanos(0) / 1_000.0).isBetween(950.0, 950 * 1.125);
    assertThat(planned(hedged, 64 * MILLI).copyAfterNanos(0))
        .as("other class")
        .isEqualTo(10 * MILLI);
  }

  @Test
  void copiedReadsDoNotPullTheQuantileDown() {
    HedgedPlanner hedged = new HedgedPlanner(0.95, 10 * MILLI, 1, 10, Ranking.NONE, false);
    for (int i = 0; i < 1_000; i++) {
      hedged.answered(MILLI, i < 940 ? MILLI : 2 * MILLI, i >= 940);
    }
    hedged.tick(view, 0);
    assertThat(hedged.delayNanos(MILLI))
        .as("the quantile is beyond: unchanged")
        .isEqualTo(10 * MILLI);
  }

  @Test
  void hedgesHaveABudgetAndAGuard() {
    HedgedPlanner hedged = new HedgedPlanner(0.95, 10 * MILLI, 0.05, 3, Ranking.NONE, false);
    int first = granted(hedged, 100);
    assertThat(first).as("burst").isEqualTo(3);
    for (int i = 0; i < 1_000; i++) {
      planned(hedged, MILLI);
      first += granted(hedged, 1);
    }
    assertThat(first - 3).as("five percent of reads").isEqualTo(50);
    planned(hedged, MILLI);
    for (int i = 0; i < 20; i++) {
      planned(hedged, MILLI);
    }
    view.set(FactColumn.WORK_AHEAD, 1, 11 * MILLI);
    assertThat(hedged.mayCopy(MILLI, 1, view, 0)).as("the target is busy").isFalse();
    assertThat(hedged.mayCopy(MILLI, 2, view, 0)).isTrue();
  }

  @Test
  void aReadWithoutAnotherReplicaIsNeverCopied() {
    for (FanoutPlanner planner :
        new FanoutPlanner[] {
          new HedgedPlanner(0.95, 1, 1, 1, Ranking.NONE, false),
          new TiedPlanner(1, true, Ranking.NONE, false),
          retry("always", () -> 0)
        }) {
      Request request = Requests.single(new SplittableRandom(1), 3);
      planner.plan(request, new StockSelector(), view);
      assertThat(request.copyAfterNanos(0)).isEqualTo(Request.NEVER);
    }
  }

  @Test
  void tiedCopiesComeFromEitherSide() {
    Request request = planned(new TiedPlanner(7, false, Ranking.NONE, false), 1);
    assertThat(request.copies()).isEqualTo(Copies.TIED);
    assertThat(request.copyAfterNanos(0)).isEqualTo(7);
    Request ranked = planned(new TiedPlanner(7, true, Ranking.BRB_EQUALMAX, true), 1);
    assertThat(ranked.copies()).isEqualTo(Copies.FORWARDED);
    assertThat(ranked.tagged()).isTrue();
  }

  @Test
  void tombstonesDropTheCopyThatComesLater() {
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
  @ValueSource(strings = {"101p", "100p", "0p", "min(99p,98p)", "min(5ms,6ms)", "5", "99", ""})
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

  private static SpeculativeRetryPlanner retry(String option, dev.manx.policy.NanoClock clock) {
    return new SpeculativeRetryPlanner(
        SpeculativeThreshold.parse(option), 5_000 * MILLI, Ranking.NONE, false, clock);
  }

  private Request planned(FanoutPlanner planner, long cost) {
    Request request = Requests.single(new SplittableRandom(1), 0, 1, 2);
    request.forecast(0, 0, cost, cost);
    planner.plan(request, new StockSelector(), view);
    return request;
  }

  private int granted(HedgedPlanner hedged, int asked) {
    int granted = 0;
    for (int i = 0; i < asked; i++) {
      granted += hedged.mayCopy(MILLI, 2, view, 0) ? 1 : 0;
    }
    return granted;
  }
}
