/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.Requests;
import dev.manx.policy.fanout.HandScheduler.Part;
import dev.manx.policy.order.BottleneckOrder;
import dev.manx.policy.order.FifoOrder;
import dev.manx.policy.order.Order;
import dev.manx.policy.order.TestOp;
import dev.manx.policy.select.StockSelector;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Hand-computed cases of the policy catalogue, section 4. */
class PlannerExamplesTest {
  private static final Supplier<Order<TestOp>> FIFO = PlannerExamplesTest::fifo;
  private static final Supplier<Order<TestOp>> BOTTLENECK = PlannerExamplesTest::bottleneck;
  private static final FanoutPlanner KEYS = new ReinSbfPlanner(false);
  private static final FanoutPlanner COST = new BrbEqualMaxPlanner(Unit.NANOS, false);

  @Test
  void exampleAFirstInFirstOut() {
    assertThat(exampleA(COST, FIFO).run()).isEqualTo(ends(2, 6, 3, 5));
    assertThat(mean(ends(2, 6, 3, 5))).isEqualTo(4.0);
  }

  @Test
  void exampleAByTrueCost() {
    HandScheduler played = exampleA(COST, BOTTLENECK);
    assertThat(played.run()).isEqualTo(ends(2, 6, 2, 4));
    assertThat(mean(played.run())).isEqualTo(3.5);
    assertThat(played.endOf("E")).isEqualTo(5);
  }

  @Test
  void exampleAByKeyCountIsWorseThanFirstInFirstOut() {
    HandScheduler played = exampleA(KEYS, BOTTLENECK);
    assertThat(played.run()).isEqualTo(ends(4, 6, 5, 3));
    assertThat(mean(played.run())).isEqualTo(4.5);
  }

  @Test
  void exampleBFirstInFirstOutAndByTrueCost() {
    assertThat(exampleB(COST, FIFO).run()).isEqualTo(ends(2, 6, 3, 5));
    assertThat(exampleB(COST, BOTTLENECK).run()).isEqualTo(ends(2, 6, 1, 4));
    assertThat(mean(ends(2, 6, 1, 4))).isEqualTo(3.25);
  }

  @Test
  void figureOneOfBrb() {
    HandScheduler fifo = figureOne(FIFO);
    assertThat(fifo.run()).isEqualTo(Map.of("T1", 2L, "T2", 2L));
    HandScheduler equalMax = figureOne(BOTTLENECK);
    assertThat(equalMax.run()).isEqualTo(Map.of("T1", 2L, "T2", 1L));
    assertThat(equalMax.endOf("A")).as("A still within its slack").isEqualTo(2);
  }

  @Test
  void opsetsOfOneThreeTwoKeysGiveAllSixPriorityThree() {
    Request request = pinned(new long[] {1, 1, 1, 1, 1, 1}, 0, 1, 1, 1, 2, 2);
    plan(KEYS, request);
    long[] slack = {2, 0, 0, 0, 1, 1};
    for (int read = 0; read < 6; read++) {
      assertThat(request.priority(read)).isEqualTo(3);
      assertThat(request.slack(read)).isEqualTo(slack[read]);
    }
    assertThat(request.bottleneck()).isEqualTo(3);
    assertThat(request.unit()).isEqualTo(Unit.KEYS);
    assertThat(request.tagged()).isTrue();
  }

  @Test
  void costIsTheSumOfTheOpset() {
    Request request = pinned(new long[] {1, 1, 1, 6, 4}, 0, 0, 0, 0, 1);
    plan(COST, request);
    assertThat(request.bottleneck()).isEqualTo(9);
    assertThat(request.priority(4)).isEqualTo(9);
    assertThat(request.slack(4)).isEqualTo(5);
    assertThat(request.slack(3)).isZero();
  }

  @Test
  void noneLeavesNoTags() {
    Request request = pinned(new long[] {1, 2}, 0, 1);
    plan(new NonePlanner(false), request);
    assertThat(request.tagged()).isFalse();
    assertThat(request.plannedReads(0)).isEqualTo(1);
  }

  private static Order<TestOp> fifo() {
    return new FifoOrder<>(64);
  }

  private static Order<TestOp> bottleneck() {
    return new BottleneckOrder<>(64, Long.MAX_VALUE);
  }

  private static HandScheduler exampleA(FanoutPlanner planner, Supplier<Order<TestOp>> orders) {
    return new HandScheduler(planner, orders)
        .request("R1", new Part("AB", 1, 2), new Part("C", 2, 2))
        .request("R2", new Part("D", 3, 6), new Part("E", 4, 1))
        .request("R3", new Part("FG", 4, 2))
        .request("R4", new Part("H", 1, 2), new Part("I", 4, 2));
  }

  private static HandScheduler exampleB(FanoutPlanner planner, Supplier<Order<TestOp>> orders) {
    return new HandScheduler(planner, orders)
        .request("R1", new Part("AB", 1, 2), new Part("C", 2, 1))
        .request("R2", new Part("D", 3, 6), new Part("E", 2, 1))
        // One op of cost 1, as the example has it: FG counts as a single key here.
        .request("R3", new Part("F", 2, 1))
        .request("R4", new Part("H", 1, 2), new Part("I", 2, 2));
  }

  private static HandScheduler figureOne(Supplier<Order<TestOp>> orders) {
    return new HandScheduler(COST, orders)
        .request("T1", new Part("A", 1, 1), new Part("BC", 2, 2))
        .request("T2", new Part("D", 3, 1), new Part("E", 1, 1));
  }

  private static Request pinned(long[] costs, int... nodes) {
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 16);
    for (int i = 0; i < nodes.length; i++) {
      Requests.pinned(request, nodes[i], costs[i]);
    }
    return request;
  }

  private static void plan(FanoutPlanner planner, Request request) {
    planner.plan(request, new StockSelector(), new FakeView(16));
  }

  private static Map<String, Long> ends(long... ends) {
    return Map.of("R1", ends[0], "R2", ends[1], "R3", ends[2], "R4", ends[3]);
  }

  private static double mean(Map<String, Long> ends) {
    return ends.values().stream().mapToLong(end -> end).average().orElseThrow();
  }
}
