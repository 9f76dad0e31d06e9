/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.SplitMix;
import dev.manx.policy.order.LevelledOrder.Levels;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases of orders by level and by slack, computed by hand. */
class LevelExamplesTest {
  private static final long FOREVER = Long.MAX_VALUE;
  private static final long SEED = 42;

  @Test
  void strictLevelsGoByLevelThenArrival() {
    MultilevelOrder<TestOp> order = new MultilevelOrder<>(64, FOREVER, new Levels(2, 1, 2, false));
    order.offer(levelled("a", 1));
    order.offer(levelled("b", 0));
    order.offer(levelled("c", 1));
    order.offer(levelled("d", 0));
    assertThat(names(order, 0)).containsExactly("b", "d", "a", "c");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0", "1.9, 0", "2, 1", "5, 2", "300, 7", "127, 6", "128, 7", "1e12, 7"})
  void levelsAreOctavesOfTheBottleneck(double bottleneck, int level) {
    MultilevelOrder<TestOp> order = new MultilevelOrder<>(64, FOREVER, levels(8));
    assertThat(order.level(new TestOp("op", Math.round(bottleneck * 1_000), 1))).isEqualTo(level);
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 1", "3, 1", "4, 2", "100, 6", "500, 7"})
  void levelsByKeysAreOctavesOfTheirCount(int keys, int level) {
    MultilevelOrder<TestOp> order = new MultilevelOrder<>(64, FOREVER, new Levels(8, 1, 2, false));
    assertThat(order.level(new TestOp("op", keys, 1))).isEqualTo(level);
  }

  @Test
  void levelsBeyondTheLastAreTheLast() {
    MultilevelOrder<TestOp> order = new MultilevelOrder<>(64, FOREVER, new Levels(2, 1, 2, false));
    assertThat(order.level(levelled("op", 9))).isEqualTo(1);
  }

  @Test
  void insideALevelBySlackTheEarliestStartComesFirst() {
    MultilevelOrder<TestOp> order =
        new MultilevelOrder<>(64, FOREVER, new Levels(8, 1_000, 2, true));
    order.offer(slack("late", 1, 500));
    order.offer(slack("soon", 1, 20));
    order.offer(slack("wide", 9_000, 0));
    assertThat(names(order, 0)).containsExactly("soon", "late", "wide");
  }

  @Test
  void theLotteryDrawsByWeight() {
    LotteryOrder<TestOp> order = lottery(2, 3);
    int fromZero = 0;
    order.offer(levelled("one", 1));
    order.offer(levelled("zero", 0));
    for (int i = 0; i < 40_000; i++) {
      TestOp op = order.poll(0);
      fromZero += op.level == 0 ? 1 : 0;
      order.offer(op);
    }
    assertThat(fromZero).as("seed %d", SEED).isCloseTo(30_000, within(260));
  }

  @Test
  void theLotteryDrawsOnlyAmongLevelsInUse() {
    LotteryOrder<TestOp> order = lottery(10, 2);
    order.offer(levelled("last", 9));
    assertThat(order.poll(0).name).isEqualTo("last");
    assertThat(order.poll(0)).isNull();
    order.offer(levelled("x", 3));
    order.offer(levelled("y", 9));
    TestOp seen = order.peek(0);
    order.remove(seen);
    assertThat(order.poll(0)).isNotNull().isNotSameAs(seen);
  }

  @Test
  void weightedFlowAsComputedByHand() {
    MaxWeightedFlowOrder<TestOp> order = new MaxWeightedFlowOrder<>(64, FOREVER);
    order.offer(at("a", 0, 10));
    order.offer(at("b", 8, 1));
    order.offer(at("c", 5, 4));
    assertThat(names(order, 10)).containsExactly("b", "c", "a");
    order.offer(at("a", 0, 10));
    order.offer(at("new", 99, 1));
    assertThat(order.poll(100).name).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"weighted-flow", "sjf"})
  void unknownCostsCountAsTheMedian(String kind) {
    Order<TestOp> order = byCost(kind);
    for (long cost : new long[] {1, 8, 8, 8, 64}) {
      order.offer(at("cost" + cost, 0, cost));
    }
    TestOp unknown = at("unknown", 0, 0);
    order.offer(unknown);
    assertThat(names(order, 100))
        .containsExactly("cost1", "cost8", "cost8", "cost8", "unknown", "cost64");
  }

  /** A replayed choice knows the costs of the reads that were queued then, not of earlier ones. */
  @ParameterizedTest
  @ValueSource(strings = {"weighted-flow", "sjf"})
  void theCostAssumedForAnUnknownOneCanBeReplayed(String kind) {
    Order<TestOp> recorded = byCost(kind);
    for (int i = 0; i < 10; i++) {
      recorded.offer(at("small", 0, 1_000));
    }
    OrderContractTest.drain(recorded, 0);
    TestOp unknown = at("unknown", 0, 0);
    TestOp large = at("large", 0, 9_000);
    recorded.offer(large);
    recorded.offer(unknown);
    assertThat(recorded.memo(large)).isEqualTo(Order.NO_MEMO);
    long memo = recorded.memo(unknown);
    assertThat(recorded.poll(100)).isSameAs(unknown);
    recorded.poll(100);
    Order<TestOp> replayed = byCost(kind);
    replayed.offer(large);
    replayed.offer(unknown, memo);
    assertThat(replayed.poll(100)).isSameAs(unknown);
  }

  @Test
  void weightedFlowErrsByAtMostAQuarter() {
    for (long seed = 0; seed < 300; seed++) {
      SplitMix random = new SplitMix(seed);
      MaxWeightedFlowOrder<TestOp> order = new MaxWeightedFlowOrder<>(64, FOREVER);
      double most = 0;
      for (int i = 0; i < 50; i++) {
        TestOp op = at("op" + i, random.nextInt(1_000), 1 + random.nextInt(100_000));
        op.arrivalNanos = i * 10L;
        most = Math.max(most, (1_000.0 - op.arrivalNanos) / op.costNanos);
        order.offer(op);
      }
      TestOp chosen = order.poll(1_000);
      double flow = (1_000.0 - chosen.arrivalNanos) / chosen.costNanos;
      assertThat(flow).as("seed %d", seed).isGreaterThanOrEqualTo(most * 0.8);
    }
  }

  /**
   * Orders that starve an op and orders that do not, under an endless stream of small reads and
   * without a bounded wait.
   */
  @ParameterizedTest
  @CsvSource({
    "sjf, false", "multilevel, false", "bottleneck, false",
    "lottery, true", "weighted-flow, true", "slack-edf, true"
  })
  void aLargeReadUnderEndlessSmallOnes(String kind, boolean served) {
    Order<TestOp> order =
        switch (kind) {
          case "sjf" -> new SjfOrder<>(64, FOREVER);
          case "multilevel" -> new MultilevelOrder<>(64, FOREVER, levels(8));
          case "bottleneck" -> new BottleneckOrder<>(64, FOREVER);
          case "lottery" -> lottery(8, 2);
          case "weighted-flow" -> new MaxWeightedFlowOrder<>(64, FOREVER);
          default -> new SlackEdfOrder<>(64, FOREVER);
        };
    TestOp large = new TestOp("large", 64_000, 64_000);
    large.slack = 5_000;
    order.offer(large);
    boolean found = false;
    for (long now = 0; now < 10_000_000 && !found; now += 1_000) {
      TestOp small = at("small", now, 1_000);
      small.priority = 1_000;
      order.offer(small);
      found = order.poll(now + 999) == large;
    }
    assertThat(found).isEqualTo(served);
  }

  @Test
  void slackStartsNoLaterThanTheFirstDispatchAfterItsDeadline() {
    SlackEdfOrder<TestOp> order = new SlackEdfOrder<>(64, FOREVER);
    order.offer(slack("e", 6, 5));
    for (long now = 0; now < 5; now++) {
      order.offer(at("small" + now, now, 1));
      assertThat(order.peek(now).name).as("at %d", now).isEqualTo("small" + now);
      order.poll(now);
    }
    order.offer(at("small5", 5, 1));
    assertThat(order.poll(5).name).isEqualTo("e");
  }

  @Test
  void slackIsCappedAndNeverOverflows() {
    SlackEdfOrder<TestOp> order = new SlackEdfOrder<>(64, 100);
    order.offer(slack("rich", 1, Long.MAX_VALUE));
    TestOp later = at("later", 99, 1);
    later.slack = 2;
    order.offer(later);
    assertThat(order.peek(99).name).isEqualTo("rich");
    SlackEdfOrder<TestOp> unbounded = new SlackEdfOrder<>(64, FOREVER);
    TestOp huge = at("huge", 7, 1);
    huge.slack = Long.MAX_VALUE;
    unbounded.offer(huge);
    unbounded.offer(at("plain", 8, 1));
    assertThat(names(unbounded, 8)).containsExactly("plain", "huge");
  }

  private static Order<TestOp> byCost(String kind) {
    return kind.equals("sjf")
        ? new SjfOrder<>(64, FOREVER)
        : new MaxWeightedFlowOrder<>(64, FOREVER);
  }

  private static Levels levels(int count) {
    return new Levels(count, 1_000, 2, false);
  }

  private static LotteryOrder<TestOp> lottery(int levels, double factor) {
    return new LotteryOrder<>(64, FOREVER, factor, levels(levels), new SplitMix(SEED));
  }

  private static List<String> names(Order<TestOp> order, long now) {
    return OrderContractTest.drain(order, now).stream().map(op -> op.name).toList();
  }

  private static TestOp levelled(String name, int level) {
    TestOp op = new TestOp(name, 0, 1);
    op.level = level;
    return op;
  }

  private static TestOp slack(String name, long priority, long slack) {
    TestOp op = new TestOp(name, priority, 1);
    op.slack = slack;
    return op;
  }

  private static TestOp at(String name, long arrival, long cost) {
    TestOp op = new TestOp(name, cost, cost);
    op.arrivalNanos = arrival;
    return op;
  }
}
