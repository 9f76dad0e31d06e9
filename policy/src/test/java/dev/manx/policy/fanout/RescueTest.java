/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.select.Selector;
import dev.manx.policy.strategy.PolicyMaker;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads at a node that answers nothing any more, computed by hand. */
class RescueTest {
  private static final long MILLI = 1_000_000;
  private static final int STALLED = 0;
  private static final int OTHER = 1;
  private static final int SPARE = 2;
  private static final Selector STOCK = PolicyMaker.make("select.stock");

  private final FakeView view = new FakeView(4);
  private final HedgedPlanner hedged = planner("rescues: 5, burst: 1");
  private long now;

  /** Nodes answer every millisecond; so two milliseconds of silence are too long. */
  @BeforeEach
  void healthy() {
    healthy(hedged);
    for (int i = 0; i < 20; i++) {
      hedged.answered(MILLI, 30 * MILLI, false);
    }
    hedged.tick(view, now);
  }

  @Test
  void itsReadsAreLateOnceItHasBeenSilentForTooLong() {
    Request request = plan(STALLED);
    view.reads[STALLED] = 1;
    assertThat(request.copyAfterNanos(0) / 1e6).as("first check").isBetween(2.0, 2.25);
    now += MILLI;
    assertThat(onTime(STALLED, MILLI)).as("silent for a millisecond").isPositive();
    now += 2 * MILLI;
    assertThat(onTime(STALLED, 3 * MILLI)).as("stalled").isZero();
  }

  @Test
  void aNodeThatAnswersOtherReadsIsNotStalled() {
    plan(STALLED);
    view.reads[STALLED] = 2;
    for (int i = 0; i < 29; i++) {
      now += MILLI;
      hedged.heard(STALLED, now);
      assertThat(onTime(STALLED, (i + 1) * MILLI)).as("after %d ms", i + 1).isPositive();
    }
    now += 8 * MILLI;
    hedged.heard(STALLED, now);
    assertThat(onTime(STALLED, 37 * MILLI)).as("beyond the quantile").isZero();
  }

  /** Nothing else is outstanding at the node, so it has nothing to answer meanwhile. */
  @Test
  void aNodeThatServesALongReadIsNotStalled() {
    long cost = 20 * MILLI;
    for (int i = 0; i < 200; i++) {
      hedged.answered(cost, cost, false);
    }
    hedged.tick(view, now);
    FanoutPlanner tied = tied("sender: replica");
    for (FanoutPlanner planner : new FanoutPlanner[] {hedged, tied}) {
      Request request = request(1, STALLED, SPARE);
      request.forecast(0, 0, cost, cost);
      view.reads[STALLED] = 0;
      planner.plan(request, STOCK, view);
      view.reads[STALLED] = 1;
      now += 3 * MILLI;
      assertThat(planner.onTimeForNanos(cost, cost, 3 * MILLI, STALLED, view, now)).isPositive();
      now += 16 * MILLI;
      assertThat(planner.onTimeForNanos(cost, cost, 19 * MILLI, STALLED, view, now)).isPositive();
      now += 22 * MILLI;
      assertThat(planner.onTimeForNanos(cost, cost, 41 * MILLI, STALLED, view, now)).isZero();
    }
    assertThat(tied.mayCopy(cost, 19 * MILLI, STALLED, SPARE, view, now - 22 * MILLI))
        .as("not silent for long enough")
        .isFalse();
    assertThat(tied.mayCopy(cost, 41 * MILLI, STALLED, SPARE, view, now)).isTrue();
  }

  @Test
  void theFirstCheckOfALongReadIsNotBeforeItCanHaveEnded() {
    long cost = 20 * MILLI;
    Request request = request(1, STALLED, SPARE);
    request.forecast(0, 0, cost, cost);
    planner("first-delay: 1min").plan(request, STOCK, view);
    assertThat(request.copyAfterNanos(0)).as("no limit yet").isEqualTo(60_000 * MILLI);
    hedged.plan(request, STOCK, view);
    assertThat(request.copyAfterNanos(0)).isEqualTo(40 * MILLI);
  }

  /** A cost is the forecast for an average node. */
  @Test
  void aLongReadTakesLongerAtASlowNode() {
    FanoutPlanner tied = tied("sender: replica");
    view.set(FactColumn.SLOWNESS, STALLED, 2_000);
    plan(tied, STALLED);
    view.reads[STALLED] = 1;
    now += 15 * MILLI;
    assertThat(tied.onTimeForNanos(MILLI, 4 * MILLI, 15 * MILLI, STALLED, view, now)).isPositive();
    view.set(FactColumn.SLOWNESS, STALLED, 1_000);
    assertThat(tied.onTimeForNanos(MILLI, 4 * MILLI, 15 * MILLI, STALLED, view, now)).isZero();
    now += 1_000 * MILLI;
    view.set(FactColumn.SLOWNESS, STALLED, FactColumn.SLOWNESS.most());
    assertThat(tied.onTimeForNanos(MILLI, 4 * MILLI, 1_015 * MILLI, STALLED, view, now))
        .as("a node that reports nonsense")
        .isZero();
  }

  @Test
  void aNodeThatIsNeverIdleWhenARequestIsPlannedIsRescuedToo() {
    HedgedPlanner fresh = planner("rescues: 5");
    view.reads[STALLED] = 5;
    view.reads[OTHER] = 5;
    for (int i = 0; i < 200; i++) {
      plan(fresh, i % 2);
      now += MILLI;
      fresh.heard(i % 2, now);
    }
    fresh.tick(view, now);
    now += 1_000 * MILLI;
    assertThat(fresh.onTimeForNanos(MILLI, MILLI, 5 * MILLI, STALLED, view, now)).isZero();
    assertThat(fresh.mayCopy(MILLI, 5 * MILLI, STALLED, SPARE, view, now)).isTrue();
  }

  @Test
  void rescuesAreEarnedEvenIfOtherCopiesAreNot() {
    HedgedPlanner rescuesOnly = planner("rescues: 5, burst: 1, budget: 0");
    healthy(rescuesOnly);
    plan(rescuesOnly, STALLED);
    view.reads[STALLED] = 1;
    now += 5 * MILLI;
    assertThat(copies(rescuesOnly)).as("the first burst, and the rescues").isEqualTo(6);
    for (int i = 0; i < 20; i++) {
      rescuesOnly.answered(MILLI, MILLI, false);
    }
    assertThat(copies(rescuesOnly)).as("twenty reads in time").isEqualTo(1);
  }

  private int copies(HedgedPlanner planner) {
    int sent = 0;
    while (sent < 100 && planner.mayCopy(MILLI, 5 * MILLI, STALLED, SPARE, view, now)) {
      sent++;
    }
    return sent;
  }

  @Test
  void aReadThatWasLostLongAgoDoesNotMakeTheNextOneLate() {
    stall(STALLED);
    now += 1_000 * MILLI;
    plan(STALLED);
    view.reads[STALLED] = 2;
    now += MILLI;
    assertThat(onTime(STALLED, MILLI)).isPositive();
    now += 2 * MILLI;
    assertThat(onTime(STALLED, 3 * MILLI)).as("silent to this one, too").isZero();
  }

  /** The tickets of its reads were closed, and no other event will end these reads soon. */
  @Test
  void theReadsOfANodeThatDiedAreRescued() {
    FanoutPlanner tied = tied("sender: replica, rescues: 2");
    for (FanoutPlanner planner : new FanoutPlanner[] {hedged, tied}) {
      plan(planner, STALLED);
      view.reads[STALLED] = 0;
      now += MILLI;
      assertThat(planner.onTimeForNanos(MILLI, MILLI, MILLI, STALLED, view, now)).isPositive();
      now += 2 * MILLI;
      assertThat(planner.onTimeForNanos(MILLI, MILLI, 3 * MILLI, STALLED, view, now)).isZero();
    }
    assertThat(tied.mayCopy(MILLI, MILLI, STALLED, SPARE, view, now)).as("a new one").isFalse();
    assertThat(tied.mayCopy(MILLI, 3 * MILLI, STALLED, SPARE, view, now)).isTrue();
    assertThat(tied.mayCopy(MILLI, 3 * MILLI, STALLED, SPARE, view, now)).isTrue();
    tied.copyNotSent();
    assertThat(tied.mayCopy(MILLI, 3 * MILLI, STALLED, SPARE, view, now)).isTrue();
    assertThat(tied.mayCopy(MILLI, 3 * MILLI, STALLED, SPARE, view, now)).as("budget").isFalse();
  }

  /** Another thread may have taken its time before the answer arrived. */
  @Test
  void anAnswerLaterThanTheCallersTimeIsNoSilence() {
    HedgedPlanner fresh = planner("rescues: 5, burst: 1");
    plan(fresh, STALLED);
    plan(fresh, OTHER);
    view.reads[STALLED] = 1;
    view.reads[OTHER] = 1;
    fresh.heard(OTHER, now + MILLI);
    assertThat(fresh.mayCopy(MILLI, 5 * MILLI, STALLED, OTHER, view, now))
        .as("a node that has just answered gets a copy, without a limit yet")
        .isTrue();
    hedged.heard(OTHER, now + MILLI);
    assertThat(onTime(OTHER, MILLI)).isPositive();
  }

  @Test
  void aTimeWithoutReadsIsNoSilence() {
    for (int i = 0; i < 50; i++) {
      now += 1_000 * MILLI;
      plan(STALLED);
      view.reads[STALLED] = 1;
      now += MILLI;
      assertThat(onTime(STALLED, MILLI)).isPositive();
      hedged.heard(STALLED, now);
      view.reads[STALLED] = 0;
    }
    hedged.tick(view, now);
    assertThat(plan(OTHER).copyAfterNanos(0) / 1e6).isBetween(2.0, 2.25);
  }

  /** A consistency level above one asks several replicas, the second as rarely as the first. */
  @Test
  void aTimeWithoutReadsIsNoSilenceOfFurtherReplicasEither() {
    for (int i = 0; i < 50; i++) {
      now += 1_000 * MILLI;
      hedged.plan(request(2, OTHER, STALLED, SPARE), STOCK, view);
      view.reads[OTHER] = 1;
      view.reads[STALLED] = 1;
      now += MILLI;
      assertThat(onTime(STALLED, MILLI)).as("asked a millisecond ago").isPositive();
      hedged.heard(OTHER, now);
      hedged.heard(STALLED, now);
      view.reads[OTHER] = 0;
      view.reads[STALLED] = 0;
    }
    hedged.tick(view, now);
    assertThat(plan(OTHER).copyAfterNanos(0) / 1e6).isBetween(2.0, 2.25);
  }

  @Test
  void aReadWithoutReplicasIsPlannedWithTheOthers() {
    Request request = request(1);
    // The replicas of these reads fill a request's first array to its end.
    for (int read = 1; read <= 16; read++) {
      request.addRead(null, read, 1);
      for (int node = 0; node < 3; node++) {
        request.addReplica(node, 0);
      }
    }
    request.addRead(null, 17, 1);
    hedged.plan(request, STOCK, view);
    assertThat(request.copyAfterNanos(0)).isEqualTo(Request.NEVER);
    assertThat(request.copyAfterNanos(1)).isLessThan(Request.NEVER);
    assertThat(request.copyAfterNanos(17)).isEqualTo(Request.NEVER);
  }

  @Test
  void copiesOfItsReadsHaveTheirOwnBudgetAndMayWait() {
    view.set(FactColumn.WORK_AHEAD, OTHER, 9 * MILLI);
    stall(STALLED);
    view.reads[OTHER] = 0;
    int sent = 0;
    while (sent < 100 && mayCopy(STALLED, OTHER)) {
      sent++;
    }
    assertThat(sent).as("one of the common budget, five of their own").isEqualTo(6);
  }

  @Test
  void aCopyThatIsNotSentIsReturnedToItsBudget() {
    stall(STALLED);
    view.reads[OTHER] = 0;
    assertThat(mayCopy(STALLED, OTHER)).isTrue();
    hedged.copyNotSent();
    for (int i = 0; i < 6; i++) {
      assertThat(mayCopy(STALLED, OTHER)).as("copy %d", i).isTrue();
    }
    hedged.copyNotSent();
    view.reads[OTHER] = 1;
    hedged.heard(OTHER, now);
    assertThat(mayCopy(OTHER, SPARE)).as("not of the common budget").isFalse();
    assertThat(mayCopy(STALLED, OTHER)).isTrue();
    assertThat(mayCopy(STALLED, OTHER)).isFalse();
  }

  @Test
  void copiesOfOtherReadsKeepTheirBudget() {
    view.reads[OTHER] = 1;
    assertThat(mayCopy(OTHER, STALLED)).isTrue();
    assertThat(mayCopy(OTHER, STALLED)).as("a burst of one").isFalse();
  }

  @Test
  void aStalledNodeGetsNoCopies() {
    stall(STALLED);
    plan(OTHER);
    view.reads[OTHER] = 1;
    now += MILLI;
    assertThat(mayCopy(OTHER, STALLED)).isFalse();
    now += 10 * MILLI;
    assertThat(mayCopy(STALLED, OTHER)).as("all nodes are silent").isFalse();
  }

  /** One stall of a second in a hundred answers; the limit is that of the other answers. */
  @Test
  void aStallDoesNotMoveTheLimit() {
    stall(STALLED);
    now += 1_000 * MILLI;
    hedged.heard(STALLED, now);
    hedged.tick(view, now);
    assertThat(plan(OTHER).copyAfterNanos(0) / 1e6).isBetween(2.0, 2.25);
  }

  @Test
  void withoutRescuesSilenceMeansNothing() {
    HedgedPlanner plain = planner("rescues: 0");
    view.reads[STALLED] = 1;
    for (int i = 0; i < 200; i++) {
      plain.heard(STALLED, i * MILLI);
    }
    plain.tick(view, now);
    now += 1_000 * MILLI;
    assertThat(plain.onTimeForNanos(MILLI, MILLI, 9 * MILLI, STALLED, view, now)).isEqualTo(MILLI);
  }

  @Test
  void aWideReadIsNotLateBeforeItsRequestCanHaveEnded() {
    HedgedPlanner fresh = planner("rank: brb-equalmax, first-delay: 10ms");
    assertThat(fresh.delayNanos(2 * MILLI)).isEqualTo(10 * MILLI);
    assertThat(fresh.delayNanos(48 * MILLI)).isEqualTo(96 * MILLI);
    assertThat(fresh.delayNanos(Long.MAX_VALUE)).isEqualTo(10 * MILLI);
  }

  @Test
  void tiedReadsAreCopiedByTheirCoordinatorOnlyFromAStalledReplica() {
    FanoutPlanner tied = PolicyMaker.make("fanout.tied", "sender: replica, rescues: 2");
    assertThat(tied.rescueAfterNanos()).as("no limit known yet").isEqualTo(Long.MAX_VALUE);
    now = 0;
    for (int i = 0; i < 200; i++) {
      plan(tied, i % 2);
      now += MILLI;
      tied.heard(i % 2, now);
      tied.answered(MILLI, MILLI, false);
    }
    tied.tick(view, now);
    assertThat(tied.rescueAfterNanos() / 1e6).isBetween(2.0, 2.25);
    plan(tied, STALLED);
    view.reads[STALLED] = 1;
    now += MILLI;
    assertThat(tied.onTimeForNanos(MILLI, MILLI, MILLI, STALLED, view, now)).isPositive();
    assertThat(tied.mayCopy(MILLI, MILLI, STALLED, SPARE, view, now)).as("not silent").isFalse();
    now += 3 * MILLI;
    assertThat(tied.onTimeForNanos(MILLI, MILLI, 4 * MILLI, STALLED, view, now)).isZero();
    assertThat(tied.mayCopy(MILLI, 4 * MILLI, OTHER, STALLED, view, now)).isFalse();
    for (int i = 0; i < 2; i++) {
      assertThat(tied.mayCopy(MILLI, 4 * MILLI, STALLED, SPARE, view, now)).isTrue();
    }
    assertThat(tied.mayCopy(MILLI, 4 * MILLI, STALLED, SPARE, view, now)).as("budget").isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sender: replica, rescues: 0", "sender: coordinator"})
  void tiedReadsAreNotRescuedIfTheSettingsSayNo(String settings) {
    FanoutPlanner tied = PolicyMaker.make("fanout.tied", settings);
    for (int i = 0; i < 200; i++) {
      tied.heard(STALLED, i * MILLI);
    }
    tied.tick(view, now);
    assertThat(tied.rescueAfterNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(tied.tickIntervalNanos()).isEqualTo(Long.MAX_VALUE);
  }

  private FanoutPlanner tied(String settings) {
    FanoutPlanner tied = PolicyMaker.make("fanout.tied", settings);
    healthy(tied);
    return tied;
  }

  private void healthy(FanoutPlanner planner) {
    for (int i = 0; i < 200; i++) {
      plan(planner, i % 2);
      now += MILLI;
      planner.heard(i % 2, now);
      planner.answered(MILLI, MILLI, false);
    }
    planner.tick(view, now);
  }

  private void stall(int node) {
    plan(node);
    view.reads[node] = 1;
    now += 5 * MILLI;
  }

  private long onTime(int node, long elapsed) {
    return hedged.onTimeForNanos(MILLI, MILLI, elapsed, node, view, now);
  }

  private boolean mayCopy(int from, int to) {
    return hedged.mayCopy(MILLI, 5 * MILLI, from, to, view, now);
  }

  private Request plan(int node) {
    return plan(hedged, node);
  }

  private Request plan(FanoutPlanner planner, int node) {
    Request request = request(1, node, SPARE);
    planner.plan(request, STOCK, view);
    return request;
  }

  /** A request of one read. */
  private Request request(int contacts, int... replicas) {
    Request request = new Request();
    request.begin(now, new SplittableRandom(1), 4);
    request.addRead(null, 1, contacts);
    for (int node : replicas) {
      request.addReplica(node, 0);
    }
    request.forecast(0, 0, MILLI, MILLI);
    return request;
  }

  private static HedgedPlanner planner(String settings) {
    return PolicyMaker.make("fanout.hedged", settings);
  }
}
