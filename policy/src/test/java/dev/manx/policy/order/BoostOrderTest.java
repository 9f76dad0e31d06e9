/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases of {@code order.boost} computed by hand; the unit is a millisecond. */
@Timeout(30)
class BoostOrderTest {
  private static final long UNIT = 1_000_000;
  private static final long FOREVER = Long.MAX_VALUE;

  private static BoostOrder<TestOp> order(double beta) {
    return new BoostOrder<>(10_000, FOREVER, Math.round(beta * UNIT), true, 0);
  }

  private static TestOp op(String name, double bottleneck, double arrival) {
    TestOp op = new TestOp(name, Math.round(bottleneck * UNIT), 0);
    op.arrivalNanos = Math.round(arrival * UNIT);
    return op;
  }

  private static String first(BoostOrder<TestOp> order, TestOp... ops) {
    for (TestOp op : ops) {
      order.offer(op);
    }
    return order.poll(100 * UNIT).name;
  }

  /** The coordinator of a long aggregate or of a paged list reads its parts one after another. */
  @Test
  void aReadLongAfterItsRequestsFirstOneWaitsForItsOwnTurn() {
    BoostOrder<TestOp> order = order(0.001);
    order.offer(of(7, op("page 1", 10, 0)));
    assertThat(order.poll(UNIT).name).isEqualTo("page 1");
    order.offer(of(8, op("other", 10, 1_000)));
    order.offer(of(7, op("page 2", 10, 1_001)));
    assertThat(order.poll(1_002 * UNIT).name).isEqualTo("other");
    assertThat(order.poll(1_003 * UNIT).name).isEqualTo("page 2");
  }

  @Test
  void readsOfOneRequestThatArriveTogetherCountAsOne() {
    BoostOrder<TestOp> order = order(0.001);
    order.offer(of(7, op("first", 10, 0)));
    order.offer(of(8, op("other", 10, 20)));
    order.offer(of(7, op("second", 10, 50)));
    assertThat(order.poll(60 * UNIT).name).isEqualTo("first");
    assertThat(order.poll(60 * UNIT).name).isEqualTo("second");
    assertThat(order.poll(60 * UNIT).name).isEqualTo("other");
  }

  private static TestOp of(long request, TestOp op) {
    op.requestId = request;
    return op;
  }

  @ParameterizedTest
  @CsvSource({"1, 23.52", "2, 17.08", "6, 7.96", "10, 4.587", "100, 0.00045"})
  void boostsAreThoseOfTheFormula(double bottleneck, double boost) {
    Boosts boosts = new Boosts();
    boosts.beta(10 * UNIT);
    assertThat((double) boosts.of(Math.round(bottleneck * UNIT)) / UNIT)
        .isCloseTo(boost, within(0.1));
  }

  @Test
  void boostsFallAsBottlenecksGrowAndStayCloseToTheFormula() {
    Boosts boosts = new Boosts();
    for (long beta : new long[] {1, 1_000, 16 * UNIT, 3_600_000 * UNIT}) {
      boosts.beta(beta);
      long last = Long.MAX_VALUE;
      for (long b = 1; b > 0; b += b / 7 + 1) {
        long boost = boosts.of(b);
        double exact = -beta * Math.log(-Math.expm1(-(double) b / beta));
        assertThat((double) boost)
            .as("%d of %d", b, beta)
            .isCloseTo(exact, within(0.01 * beta + 1));
        assertThat(boost).isBetween(0L, last);
        last = boost;
      }
    }
  }

  @Test
  void aSmallRequestOvertakesALargeOneForALimitedTime() {
    assertThat(first(order(10), op("A", 10, 0), op("X", 1, 18))).isEqualTo("X");
    assertThat(first(order(10), op("A", 10, 0), op("X", 1, 18.8))).isEqualTo("X");
    assertThat(first(order(10), op("A", 10, 0), op("X", 1, 19.05))).isEqualTo("A");
    assertThat(first(order(10), op("A", 10, 0), op("X", 1, 20))).isEqualTo("A");
  }

  @Test
  void aLargeRequestStartsAlthoughSmallOnesKeepArriving() {
    BoostOrder<TestOp> order = order(10);
    order.offer(op("large", 10, 0));
    double now = 0;
    String served = "";
    while (!served.equals("large")) {
      now++;
      order.offer(op("small", 1, now));
      served = order.poll(Math.round(now * UNIT)).name;
    }
    assertThat(now).as("the first dispatch after 18.93").isEqualTo(19);
    assertThat(order.cuts()).isZero();
  }

  @Test
  void aTinyBetaIsArrivalOrder() {
    List<TestOp> ops = randomOps(10);
    assertThat(drained(0.001, ops))
        .isEqualTo(sorted(ops, Comparator.comparingLong(op -> op.arrivalNanos)));
  }

  @Test
  void aHugeBetaIsShortestBottleneckFirst() {
    List<TestOp> ops = randomOps(10);
    assertThat(drained(1e6, ops))
        .isEqualTo(sorted(ops, Comparator.comparingLong(op -> op.priority)));
  }

  private static List<TestOp> randomOps(int arriveWithin) {
    SplittableRandom random = new SplittableRandom(3);
    List<TestOp> ops = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ops.add(op("op" + i, (1 + i * 7 % 50) / 2.0, random.nextDouble(arriveWithin)));
    }
    ops.sort(Comparator.comparingLong(op -> op.arrivalNanos));
    return ops;
  }

  private static List<TestOp> drained(double beta, List<TestOp> ops) {
    BoostOrder<TestOp> order = order(beta);
    ops.forEach(order::offer);
    return OrderContractTest.drain(order, 10 * UNIT);
  }

  private static List<TestOp> sorted(List<TestOp> ops, Comparator<TestOp> by) {
    return ops.stream().sorted(by).toList();
  }

  @Test
  void readsOfOneRequestGoCostliestFirstAlthoughTheyArriveOneByOne() {
    BoostOrder<TestOp> order = order(10);
    double[] costs = {1, 3, 2};
    for (int i = 0; i < 3; i++) {
      TestOp op = op("mine" + costs[i], 5, i * 0.1);
      op.costNanos = Math.round(costs[i] * UNIT);
      op.requestId = 7;
      order.offer(op);
      TestOp other = op("other" + i, 5, i * 0.1 + 0.05);
      other.requestId = 8 + i;
      order.offer(other);
    }
    assertThat(OrderContractTest.drain(order, UNIT))
        .extracting(op -> op.name)
        .containsExactly("mine3.0", "mine2.0", "mine1.0", "other0", "other1", "other2");
  }

  @Test
  void aCopyThatIsPassedOnKeepsItsPlaceInLine() {
    TestOp copy = op("copy", 5, 10);
    copy.ageNanos = 10 * UNIT;
    assertThat(first(order(10), op("here", 5, 9), copy)).isEqualTo("copy");
  }

  @Test
  void anOpThatIsUnknownCountsAsATypicalOne() {
    BoostOrder<TestOp> order = order(10);
    for (int i = 0; i < 3_000; i++) {
      order.offer(op("known", 5, 0));
    }
    OrderContractTest.drain(order, 0);
    assertThat(first(order, op("unknown", 0, 10), op("small", 1, 10.5))).isEqualTo("small");
    OrderContractTest.drain(order, 0);
    assertThat(first(order, op("unknown", 0, 10), op("large", 20, 9.5))).isEqualTo("unknown");
  }

  @Test
  void theFirstKnownOpIsATypicalOne() {
    BoostOrder<TestOp> order = order(10);
    order.offer(op("known", 5, 0));
    OrderContractTest.drain(order, 0);
    assertThat(first(order, op("unknown", 0, 10), op("small", 1, 10.5))).isEqualTo("small");
    OrderContractTest.drain(order, 0);
    assertThat(first(order, op("unknown", 0, 10), op("large", 20, 9.5))).isEqualTo("unknown");
  }

  @Test
  void aTypicalOpIsOfATypicalRequestHoweverManyReadsTheWideOnesHave() {
    BoostOrder<TestOp> order = order(10);
    for (int request = 1; request <= 3_000; request++) {
      boolean wide = request % 10 == 0;
      for (int read = 0; read < (wide ? 50 : 1); read++) {
        TestOp op = op("known", wide ? 50 : 2, 0);
        op.requestId = request;
        order.offer(op);
      }
      OrderContractTest.drain(order, 0);
    }
    // Nine requests of 2 and one of 50: 6.8 on average of requests, 42.7 on average of reads.
    assertThat(first(order, op("unknown", 0, 10), op("larger", 20, 9.5))).isEqualTo("unknown");
  }

  @Test
  void theSafetyNetCountsHowOftenItCuts() {
    BoostOrder<TestOp> order = new BoostOrder<>(10, 20 * UNIT, 1_000 * UNIT, true, 0);
    order.offer(op("large", 100, 0));
    order.offer(op("small", 1, 19));
    assertThat(order.poll(19 * UNIT).name).isEqualTo("small");
    assertThat(order.cuts()).isZero();
    order.offer(op("small", 1, 20));
    assertThat(order.poll(20 * UNIT).name).isEqualTo("large");
    assertThat(order.cuts()).isEqualTo(1);
  }

  /** In a queue that is too long for the bound, arrival order needs no net. */
  @Test
  void theSafetyNetCutsNothingThatIsServedInItsTurn() {
    BoostOrder<TestOp> order = new BoostOrder<>(10, 20 * UNIT, 1, true, 0);
    order.offer(op("first", 100, 0));
    order.offer(op("second", 1, 1));
    assertThat(order.poll(500 * UNIT).name).isEqualTo("first");
    assertThat(order.poll(500 * UNIT).name).isEqualTo("second");
    assertThat(order.cuts()).isZero();
  }

  /**
   * An order that has learned: one read at a time for a while, 99 of 100 of them of 1 ms and the
   * others of 100 ms, so that S is 0.5 and a queue is long from the least number on, 16 reads that
   * wait.
   */
  private static BoostOrder<TestOp> learned(boolean longQueues) {
    BoostOrder<TestOp> order =
        new BoostOrder<>(10_000, FOREVER, BoostOrder.AUTO, longQueues, 8_192);
    learn(order, 2_000);
    return order;
  }

  private static void learn(BoostOrder<TestOp> order, int reads) {
    for (int i = 0; i < reads; i++) {
      TestOp op = op("learned", i % 100 == 99 ? 100 : 1, i - 2_000);
      op.costNanos = op.priority;
      order.offer(op);
      order.poll(op.arrivalNanos);
    }
  }

  /** Every queued read waits for 10, and one of a hundred takes 100. */
  @Test
  void readsThatNeedNotWaitCountAmongTheWaitsAlthoughTheyAreNotQueued() {
    assertThat(boostWith(0)).isGreaterThan(10 * UNIT);
    assertThat(boostWith(1_000)).isLessThan(UNIT / 100);
  }

  private static long boostWith(long passedBefore) {
    BoostOrder<TestOp> order = new BoostOrder<>(10_000, FOREVER, BoostOrder.AUTO, false, 0);
    for (int i = 0; i < 2_000; i++) {
      TestOp op = op("learned", i % 100 == 99 ? 100 : 1, 20 * i);
      op.costNanos = op.priority;
      op.passedBefore = passedBefore;
      order.offer(op);
      order.poll(op.arrivalNanos + 10 * UNIT);
    }
    TestOp small = op("small", 1, 40_000);
    order.offer(small);
    return order.memo(small);
  }

  /** Nothing has waited, so beta is 0 and the usual order that of arrivals. */
  @Test
  void aLongQueueIsServedShortestBottleneckFirstUntilItIsEmpty() {
    for (int waiting : new int[] {16, 17}) {
      BoostOrder<TestOp> order = learned(true);
      order.offer(op("3 at 0", 3, 0));
      for (int i = 0; i < waiting - 1; i++) {
        order.offer(op("2 at 1", 2, 1));
      }
      assertThat(order.peek(2 * UNIT).name).isEqualTo(waiting == 17 ? "2 at 1" : "3 at 0");
      if (waiting == 17) {
        order.offer(op("1 at 2", 1, 2));
        assertThat(order.poll(3 * UNIT).name).isEqualTo("1 at 2");
        for (int i = 0; i < waiting - 1; i++) {
          assertThat(order.poll(3 * UNIT).name).isEqualTo("2 at 1");
        }
        order.offer(op("4 at 3", 4, 3));
        order.offer(op("1 at 3", 1, 3));
        assertThat(order.poll(4 * UNIT).name).as("still until it is empty").isEqualTo("1 at 3");
        assertThat(order.poll(4 * UNIT).name).isEqualTo("3 at 0");
      }
      OrderContractTest.drain(order, 5 * UNIT);
      assertThat(order.servedLong()).isEqualTo(waiting == 17 ? 20 : 0);
      assertThat(first(order, op("2 at 6", 2, 6), op("1 at 7", 1, 7))).isEqualTo("2 at 6");
      assertThat(order.overloaded()).isZero();
    }
  }

  @Test
  void aLongQueueIsServedAsUsualIfItsRuleIsOff() {
    BoostOrder<TestOp> order = learned(false);
    order.offer(op("3 at 0", 3, 0));
    for (int i = 0; i < 100; i++) {
      order.offer(op("2 at 1", 2, 1));
    }
    assertThat(order.poll(2 * UNIT).name).isEqualTo("3 at 0");
  }

  @Test
  void aLongQueueWhoseLastOpIsRemovedIsServedAsUsual() {
    BoostOrder<TestOp> order = learned(true);
    List<TestOp> ops = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      ops.add(op("op" + i, 3, i));
      order.offer(ops.get(i));
    }
    order.offer(op("small", 1, 17));
    assertThat(order.poll(18 * UNIT).name).as("it is long").isEqualTo("small");
    ops.forEach(order::remove);
    assertThat(order.servedLong()).isEqualTo(1);
    assertThat(first(order, op("2 at 6", 2, 60), op("1 at 7", 1, 61))).isEqualTo("2 at 6");
  }

  /** Unlike in an overloaded queue, in which it goes first in one of eight slots. */
  @Test
  void anOverdueOpOfALongQueueGoesFirst() {
    BoostOrder<TestOp> order = new BoostOrder<>(10_000, 20 * UNIT, BoostOrder.AUTO, true, 8_192);
    learn(order, 256);
    order.offer(op("overdue", 10, 0));
    for (int i = 0; i < 50; i++) {
      order.offer(op("small", 1, 1));
    }
    assertThat(order.peek(2 * UNIT).name).isEqualTo("small");
    for (int slot = 64; slot < 128; slot++) {
      assertThat(order.peek((long) slot << 20).name).isEqualTo("overdue");
    }
  }

  /** A bound that is configured is refused by the host if it is too long, and not shortened. */
  @Test
  void itsOwnBoundOnWaitingIsTwoSecondsOrTheLimitOfItsHost() {
    long second = 1_000_000_000;
    assertThat(overdueAfter(BoostOrder.AUTO, OptionalLong.empty())).isEqualTo(2 * second);
    assertThat(overdueAfter(BoostOrder.AUTO, OptionalLong.of(5 * second))).isEqualTo(2 * second);
    assertThat(overdueAfter(BoostOrder.AUTO, OptionalLong.of(second / 4))).isEqualTo(second / 4);
    assertThat(overdueAfter(second, OptionalLong.of(second / 4))).isEqualTo(second);
  }

  /** The wait after which a wide request's read goes before those of small ones. */
  private static long overdueAfter(long maxWait, OptionalLong limit) {
    BoostOrder<TestOp> order = new BoostOrder<>(10, maxWait, 3_600_000 * UNIT, true, 0);
    limit.ifPresent(order::limitWait);
    order.offer(op("wide", 10_000, 0));
    order.offer(op("small", 1, 0));
    for (long at = 0; at <= 3_000_000_000L; at += 250_000_000) {
      if (order.peek(at).name.equals("wide")) {
        return at;
      }
    }
    return Long.MAX_VALUE;
  }

  /** A queue that becomes long, and then overloaded, keeps the order of bottlenecks. */
  @Test
  void aLongQueueMayBecomeOverloaded() {
    BoostOrder<TestOp> order = new BoostOrder<>(10_000, FOREVER, BoostOrder.AUTO, true, 320);
    learn(order, 256);
    for (int i = 0; i < 60; i++) {
      order.offer(op("op", 1 + i * 37 % 61, i));
    }
    List<Long> served = new ArrayList<>();
    served.add(order.poll(60 * UNIT).priority);
    for (int i = 60; i < 90; i++) {
      order.offer(op("op", 1 + i * 37 % 61, i));
    }
    OrderContractTest.drain(order, 100 * UNIT).forEach(op -> served.add(op.priority));
    assertThat(order.overloaded()).isPositive();
    assertThat(served).isSorted();
  }

  /** Its ops have the boosts of an overloaded queue already. */
  @Test
  void anOverloadedQueueDoesNotBecomeLong() {
    BoostOrder<TestOp> order = new BoostOrder<>(10_000, FOREVER, BoostOrder.AUTO, true, 8);
    learn(order, 256);
    for (int i = 0; i < 10; i++) {
      order.offer(op("2 at 0", 2, 0));
    }
    for (int i = 0; i < 8; i++) {
      order.poll(UNIT);
      order.offer(op("2 at 0", 2, 0));
    }
    for (int i = 0; i < 20; i++) {
      order.offer(op("3 at 2", 3, 2));
    }
    order.offer(op("1 at 3", 1, 3));
    assertThat(order.poll(4 * UNIT).name).isEqualTo("1 at 3");
    assertThat(order.overloaded()).isPositive();
  }

  /** Overloaded once two ops were served while others waited. */
  private static BoostOrder<TestOp> overloadedAfterTwo(long maxWait) {
    return new BoostOrder<>(10_000, maxWait, 10 * UNIT, true, 2);
  }

  @Test
  void anOverloadedQueueServesShortestBottlenecksFirstUntilItIsEmpty() {
    BoostOrder<TestOp> order = overloadedAfterTwo(FOREVER);
    order.offer(op("10 at 0", 10, 0));
    order.offer(op("9 at 1", 9, 1));
    order.offer(op("2 at 30", 2, 30));
    order.offer(op("5 at 31", 5, 31));
    order.offer(op("1 at 60", 1, 60));
    // Boosted arrivals: -4.59, -4.22, 12.9, 21.7 and 36.5.
    assertThat(order.poll(60 * UNIT).name).isEqualTo("10 at 0");
    assertThat(order.poll(60 * UNIT).name).isEqualTo("9 at 1");
    order.offer(op("4 at 99", 4, 99));
    assertThat(OrderContractTest.drain(order, 100 * UNIT))
        .extracting(op -> op.name)
        .containsExactly("1 at 60", "2 at 30", "4 at 99", "5 at 31");
    assertThat(first(order, op("10 at 0", 10, 0), op("1 at 60", 1, 60))).isEqualTo("10 at 0");
  }

  @Test
  void aQueueIsOverloadedAtOnceWhenAnEighthOfTheNumberWaits() {
    for (int waiting : new int[] {19, 20}) {
      BoostOrder<TestOp> order = new BoostOrder<>(10_000, FOREVER, 10 * UNIT, true, 160);
      order.offer(op("10 at 0", 10, 0));
      for (int i = 0; i < waiting - 1; i++) {
        order.offer(op("10 at 1", 10, 1));
      }
      order.offer(op("1 at 60", 1, 60));
      assertThat(order.poll(60 * UNIT).name).isEqualTo("10 at 0");
      assertThat(order.poll(60 * UNIT).name).isEqualTo(waiting == 20 ? "1 at 60" : "10 at 1");
      OrderContractTest.drain(order, 60 * UNIT);
      assertThat(order.overloaded()).isEqualTo(waiting == 20 ? 20 : 0);
    }
  }

  @Test
  void aQueueIsOverloadedWhenReadsWouldWaitMaxWaitInArrivalOrder() {
    for (int now : new int[] {19, 20}) {
      BoostOrder<TestOp> order = new BoostOrder<>(10_000, 20 * UNIT, BoostOrder.AUTO, true, 8_192);
      order.offer(op("10 at 0", 10, 0));
      order.offer(op("10 at 1", 10, 1));
      order.offer(op("1 at 15", 1, 15));
      assertThat(order.poll(now * UNIT).name).isEqualTo("10 at 0");
      // The second and third have waited 18 ms and 4 ms.
      assertThat(order.poll(19 * UNIT).name).isEqualTo(now == 20 ? "1 at 15" : "10 at 1");
    }
  }

  /** A burst that delays reads as much as others have before is no overload. */
  @ParameterizedTest
  @CsvSource({
    "0, 499, 0",
    "0, 500, 1",
    "600, 1000, 0",
    "600, 1400, 1",
    "1500, 1999, 0",
    "1500, 2000, 1"
  })
  void aQueueIsOverloadedWhenReadsWouldWaitFarLongerThanUsual(int usual, int wait, int overloaded) {
    BoostOrder<TestOp> order =
        new BoostOrder<>(10_000, BoostOrder.AUTO, BoostOrder.AUTO, true, 8_192);
    long at = 0;
    for (int i = 0; i < 4_096; i++) {
      at += usual + 1;
      order.offer(op("usual", 1, at));
      order.poll((at + usual) * UNIT);
    }
    at += usual + 1;
    order.offer(op("10", 10, at));
    order.offer(op("1", 1, at));
    order.poll((at + wait) * UNIT);
    order.poll((at + wait) * UNIT);
    assertThat(order.overloaded()).isEqualTo(overloaded);
  }

  /** It does not measure what waits would be in arrival order. */
  @Test
  void withAFixedBetaAQueueIsNotOverloadedForItsWaits() {
    BoostOrder<TestOp> order = new BoostOrder<>(10_000, 20 * UNIT, UNIT, true, 8_192);
    order.offer(op("10 at 0", 10, 0));
    order.offer(op("10 at 1", 10, 1));
    order.offer(op("1 at 15", 1, 15));
    assertThat(order.poll(20 * UNIT).name).isEqualTo("10 at 0");
    assertThat(order.poll(19 * UNIT).name).isEqualTo("10 at 1");
    assertThat(order.poll(19 * UNIT).name).isEqualTo("1 at 15");
    assertThat(order.overloaded()).isZero();
  }

  /** As a copy is whose twin starts. */
  @Test
  void anOverloadedQueueWhoseLastOpIsRemovedIsServedAsUsual() {
    BoostOrder<TestOp> order = overloadedAfterTwo(FOREVER);
    TestOp last = op("last", 10, 3);
    for (TestOp op : List.of(op("a", 10, 0), op("b", 10, 1), last)) {
      order.offer(op);
    }
    order.poll(4 * UNIT);
    order.poll(4 * UNIT);
    assertThat(order.overloaded()).isZero();
    assertThat(order.remove(last)).isTrue();
    assertThat(first(order, op("10 at 0", 10, 0), op("1 at 60", 1, 60))).isEqualTo("10 at 0");
  }

  @Test
  void theLargestBetaIsNotTakenForAnOverloadedQueue() {
    BoostOrder<TestOp> order = new BoostOrder<>(10_000, 20 * UNIT, 3_600_000 * UNIT, true, 0);
    TestOp overdue = op("overdue", 10, 0);
    TestOp small = op("small", 1e-6, 1);
    order.offer(overdue);
    order.offer(small);
    BoostOrder<TestOp> again = new BoostOrder<>(10_000, 20 * UNIT, 10 * UNIT, true, 0);
    again.offer(copy(overdue), order.memo(overdue));
    again.offer(copy(small), order.memo(small));
    for (int slot = 64; slot < 128; slot++) {
      assertThat(again.peek((long) slot << 20).name).isEqualTo("overdue");
    }
  }

  @Test
  void aQueueThatEmptiesInTimeIsNotOverloaded() {
    BoostOrder<TestOp> order = overloadedAfterTwo(FOREVER);
    for (int i = 0; i < 9; i++) {
      order.offer(op("10 at 0", 10, 0));
      assertThat(first(order, op("1 at 60", 1, 60))).isEqualTo("10 at 0");
      assertThat(order.poll(100 * UNIT).name).isEqualTo("1 at 60");
    }
  }

  @Test
  void anOverdueOpGoesFirstInOneOfEightSlotsWhileTheQueueIsOverloaded() {
    BoostOrder<TestOp> order = overloadedAfterTwo(20 * UNIT);
    order.offer(op("overdue", 10, 0));
    for (int i = 0; i < 100; i++) {
      order.offer(op("small", 1, 1));
    }
    order.poll(2 * UNIT);
    order.poll(2 * UNIT);
    int first = 0;
    for (int slot = 64; slot < 128; slot++) {
      first += order.peek((long) slot << 20).name.equals("overdue") ? 1 : 0;
    }
    assertThat(first).isEqualTo(8);
  }

  @Test
  void aRecordedChoiceOfAnOverloadedQueueIsRepeatedByAnOrderWithoutState() {
    BoostOrder<TestOp> order = overloadedAfterTwo(20 * UNIT);
    SplittableRandom random = new SplittableRandom(5);
    List<TestOp> queued = new ArrayList<>();
    int overdue = 0;
    for (int i = 0; i < 2_000; i++) {
      TestOp op = op("op" + i, 1 + random.nextInt(12), i);
      order.offer(op);
      queued.add(op);
      long now = i * UNIT;
      if (i % 2 == 0) {
        BoostOrder<TestOp> again = overloadedAfterTwo(20 * UNIT);
        queued.forEach(waiting -> again.offer(copy(waiting), order.memo(waiting)));
        TestOp chosen = order.poll(now);
        assertThat(again.poll(now).name).isEqualTo(chosen.name);
        overdue += chosen.arrivalNanos == queued.get(0).arrivalNanos ? 1 : 0;
        queued.remove(chosen);
      }
    }
    assertThat(overdue).isBetween(50, 500);
  }

  @Test
  void aRecordedChoiceIsRepeatedByAnOrderWithoutState() {
    for (long seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      BoostOrder<TestOp> order = new BoostOrder<>(10_000, FOREVER, BoostOrder.AUTO, true, 0);
      List<TestOp> queued = new ArrayList<>();
      long now = 0;
      boolean boosted = false;
      for (int i = 0; i < 6_000; i++) {
        now += random.nextLong(2 * UNIT);
        TestOp op = new TestOp("op" + i, 10_000L << random.nextInt(12), 10_000);
        op.arrivalNanos = now;
        op.requestId = random.nextInt(3) == 0 ? i / 4 + 1 : 0;
        order.offer(op);
        queued.add(op);
        boosted |= order.memo(op) > 0;
        if (queued.size() > 20) {
          if (i > 5_900) {
            BoostOrder<TestOp> again = new BoostOrder<>(10_000, FOREVER, BoostOrder.AUTO, true, 0);
            queued.forEach(waiting -> again.offer(copy(waiting), order.memo(waiting)));
            assertThat(again.poll(now).name).as("seed %d", seed).isEqualTo(order.peek(now).name);
          }
          queued.remove(order.poll(now));
        }
      }
      assertThat(boosted).as("seed %d", seed).isTrue();
    }
  }

  @Test
  void aRecordedChoiceOfALongQueueIsRepeatedByAnOrderWithoutState() {
    for (long seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      BoostOrder<TestOp> order = learned(true);
      // It has learned as well, as an order does that replays a log.
      BoostOrder<TestOp> again = learned(true);
      List<TestOp> queued = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        TestOp op = op("op" + i, 1 + random.nextInt(12), i);
        order.offer(op);
        queued.add(op);
        if (i % 8 == 0) {
          queued.forEach(waiting -> again.offer(copy(waiting), order.memo(waiting)));
          TestOp chosen = order.poll(i * UNIT);
          assertThat(again.poll(i * UNIT).name).as("seed %d", seed).isEqualTo(chosen.name);
          OrderContractTest.drain(again, i * UNIT);
          queued.remove(chosen);
        }
      }
      assertThat(order.servedLong()).as("seed %d", seed).isGreaterThan(40);
    }
  }

  /** In an overloaded queue another read goes first in seven of eight slots. */
  @Test
  void aRecordedLongQueueIsNotTakenForAnOverloadedOne() {
    BoostOrder<TestOp> order = learned(true);
    List<TestOp> queued = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      queued.add(op("op" + i, i == 0 ? 10 : 1, i));
      order.offer(queued.get(i));
    }
    assertThat(order.peek(40 * UNIT).name).isNotEqualTo("op0");
    BoostOrder<TestOp> again = new BoostOrder<>(10_000, 20 * UNIT, BoostOrder.AUTO, true, 8_192);
    queued.forEach(waiting -> again.offer(copy(waiting), order.memo(waiting)));
    for (int slot = 64; slot < 128; slot++) {
      assertThat(again.peek((long) slot << 20).name).isEqualTo("op0");
    }
  }

  private static TestOp copy(TestOp op) {
    TestOp copy = new TestOp(op.name, op.priority, op.costNanos);
    copy.arrivalNanos = op.arrivalNanos;
    copy.requestId = op.requestId;
    return copy;
  }

  @Test
  void clocksWithAnyOriginDoNotOverflow() {
    for (long epoch : new long[] {Long.MIN_VALUE, -5, 0, Long.MAX_VALUE - 30 * UNIT}) {
      BoostOrder<TestOp> order = order(3_600_000);
      TestOp large = op("large", 10, 0);
      TestOp small = op("small", 1e-6, 18);
      large.arrivalNanos += epoch;
      small.arrivalNanos += epoch;
      order.offer(large);
      order.offer(small);
      assertThat(order.poll(epoch + 20 * UNIT)).as("epoch %d", epoch).isSameAs(small);
    }
  }
}
