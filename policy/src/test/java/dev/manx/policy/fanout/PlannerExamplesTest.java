/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.Requests;
import dev.manx.policy.fanout.HandScheduler.Part;
import dev.manx.policy.order.Order;
import dev.manx.policy.order.TestOp;
import dev.manx.policy.strategy.PolicyMaker;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cases of planners, computed by hand. */
class PlannerExamplesTest {
  private static final Supplier<Order<TestOp>> FIFO = PlannerExamplesTest::fifo;
  private static final Supplier<Order<TestOp>> BOTTLENECK = PlannerExamplesTest::bottleneck;
  private static final Supplier<Order<TestOp>> SLACK =
      () -> PolicyMaker.make("order.slack-edf", "capacity: 64", "max-wait: 1us");
  private static final FanoutPlanner KEYS = PolicyMaker.make("fanout.rein-sbf");
  private static final FanoutPlanner COST = PolicyMaker.make("fanout.brb-equalmax");

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
  void examplesHeldAsTailxIsWritten() {
    FanoutPlanner hold = PolicyMaker.make("fanout.tailx-hold");
    assertThat(exampleA(hold, FIFO).run()).isEqualTo(ends(2, 6, 2, 4));
    assertThat(exampleB(hold, FIFO).run()).isEqualTo(ends(4, 6, 1, 4));
    assertThat(mean(ends(4, 6, 1, 4))).isEqualTo(3.75);
    FanoutPlanner never = PolicyMaker.make("fanout.tailx-hold", "phi: 0");
    assertThat(exampleA(never, FIFO).run()).as("phi 0").isEqualTo(ends(2, 6, 3, 5));
  }

  @Test
  void exampleAWithSlack() {
    FanoutPlanner byStaticSlack = PolicyMaker.make("fanout.rein-sds", "rank: slack");
    assertThat(exampleA(byStaticSlack, BOTTLENECK).run()).isEqualTo(ends(2, 6, 2, 4));
    for (FanoutPlanner slack :
        new FanoutPlanner[] {
          PolicyMaker.make("fanout.rein-sds"), PolicyMaker.make("fanout.tailx-slack")
        }) {
      HandScheduler played = exampleA(slack, SLACK);
      assertThat(played.run()).isEqualTo(ends(2, 6, 2, 4));
      assertThat(played.endOf("E") - 1).as("E starts within its slack").isLessThanOrEqualTo(5);
    }
    assertThat(exampleA(PolicyMaker.make("fanout.tailx-slack", "phi: 0"), SLACK).run())
        .as("without slack: arrival order")
        .isEqualTo(ends(2, 6, 3, 5));
  }

  @Test
  void holdingIsForTheSlackOfTheOpset() {
    Request request = pinned(new long[] {1, 1, 1}, 0, 1, 1);
    plan(PolicyMaker.make("fanout.tailx-hold"), request);
    assertThat(delays(request)).containsExactly(1, 0, 0);
    assertThat(request.tagged()).isFalse();
    Request mistaken = pinned(new long[] {6, 1, 1}, 0, 1, 1);
    plan(PolicyMaker.make("fanout.tailx-hold", "rank: brb-equalmax"), mistaken);
    assertThat(delays(mistaken)).as("x passes as large").containsExactly(0, 4, 4);
    assertThat(mistaken.tagged()).isTrue();
    assertThat(mistaken.priority(1)).isEqualTo(6);
    Request half = pinned(new long[] {6, 1, 1}, 0, 1, 1);
    plan(PolicyMaker.make("fanout.tailx-hold", "phi: 50%", "rank: rein-sbf"), half);
    assertThat(delays(half)).containsExactly(0, 2, 2);
    assertThat(half.unit()).isEqualTo(Unit.KEYS);
  }

  /** Reads of 1 at nodes 0 and 1, and 2 and 1: both wait for node 1, the bottleneck. */
  @Test
  void aReadAtSeveralReplicasHasTheLeastOfTheirSlacks() {
    Request held = atTwoEach();
    plan(PolicyMaker.make("fanout.tailx-hold"), held);
    assertThat(delays(held)).containsExactly(0, 0);
    for (String name : new String[] {"fanout.rein-sbf", "fanout.brb-equalmax", "fanout.rein-sds"}) {
      Request request = atTwoEach();
      plan(PolicyMaker.make(name), request);
      assertThat(request.bottleneck()).as(name).isEqualTo(2);
      assertThat(request.slack(0)).as(name).isZero();
      assertThat(request.slack(1)).as(name).isZero();
    }
    Request increased = atTwoEach();
    plan(PolicyMaker.make("fanout.brb-unifincr", "per: subtask"), increased);
    assertThat(priorities(increased)).containsExactly(0, 0);
  }

  private static Request atTwoEach() {
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 16);
    for (int read = 0; read < 2; read++) {
      request.addRead(null, read, 2);
      request.addReplica(2 * read, 0);
      request.addReplica(1, 0);
      request.forecast(read, 1, 1, 1);
    }
    return request;
  }

  /**
   * Four reads of 1 with replicas 0, 1 and two with 1, 0, in that stock order. Read by read, least
   * work spreads them, three each; as opsets each group goes to one node.
   */
  @Test
  void anOpsetGoesToOneReplica() {
    for (String name : new String[] {"fanout.rein-sbf", "fanout.brb-equalmax"}) {
      Request request = twoGroups();
      low(PolicyMaker.make(name, "choose: read"), request);
      assertThat(request.bottleneck()).as(name).isEqualTo(3);
      low(PolicyMaker.make(name, "choose: opset"), replanned(request));
      assertThat(request.bottleneck()).as(name).isEqualTo(4);
      for (int read = 1; read < 6; read++) {
        int first = read < 4 ? 0 : 4;
        assertThat(request.replica(read, 0)).as(name).isEqualTo(request.replica(first, 0));
      }
      assertThat(request.replica(4, 0)).as(name).isNotEqualTo(request.replica(0, 0));
    }
  }

  /** Sets with the same first replica, as on rings with many tokens for each node. */
  @Test
  void opsetsWithTheSameFirstReplicaAreApart() {
    int[][] sets = {{0, 1, 2}, {0, 1, 3}, {0, 2, 1}};
    for (long seed = 0; seed < 20; seed++) {
      Request request = new Request();
      request.begin(0, new SplittableRandom(seed), 4);
      for (int read = 0; read < 60; read++) {
        request.addRead(null, read, 1);
        for (int node : sets[read % 3]) {
          request.addReplica(node, 0);
        }
        request.forecast(read, 1, 1, 1);
      }
      FanoutPlanner planner = PolicyMaker.make("fanout.brb-equalmax", "choose: opset");
      planner.plan(request, PolicyMaker.make("select.low"), new FakeView(4));
      for (int read = 0; read < 60; read++) {
        assertThat(Requests.ranking(request, read))
            .as("seed %d read %d", seed, read)
            .containsExactly(Requests.ranking(request, read % 3));
      }
      assertThat(request.bottleneck()).as("seed %d", seed).isEqualTo(20);
    }
  }

  private static Request twoGroups() {
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 2);
    for (int read = 0; read < 6; read++) {
      request.addRead(null, read, 1);
      request.addReplica(read < 4 ? 0 : 1, 0);
      request.addReplica(read < 4 ? 1 : 0, 0);
      request.forecast(read, 1, 1, 1);
    }
    return request;
  }

  private static void low(FanoutPlanner planner, Request request) {
    planner.plan(request, PolicyMaker.make("select.low"), new FakeView(2));
  }

  @Test
  void unifIncrPutsLongReadsFirst() {
    FanoutPlanner perRead = PolicyMaker.make("fanout.brb-unifincr");
    Request request = pinned(new long[] {5, 1, 1}, 0, 1, 2);
    plan(perRead, request);
    assertThat(priorities(request)).containsExactly(0, 4, 4);

    Request shared = pinned(new long[] {1, 1, 1}, 1, 2, 2);
    plan(perRead, shared);
    assertThat(priorities(shared)).as("A, B, C of figure 1").containsExactly(1, 1, 1);
    plan(PolicyMaker.make("fanout.brb-unifincr", "per: subtask"), replanned(shared));
    assertThat(priorities(shared)).containsExactly(1, 0, 0);

    HandScheduler figure = figureOne(perRead, BOTTLENECK);
    assertThat(figure.run()).isEqualTo(Map.of("T1", 2L, "T2", 1L));
  }

  @Test
  void figureOneOfBrb() {
    HandScheduler fifo = figureOne(COST, FIFO);
    assertThat(fifo.run()).isEqualTo(Map.of("T1", 2L, "T2", 2L));
    HandScheduler equalMax = figureOne(COST, BOTTLENECK);
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
    plan(PolicyMaker.make("fanout.none"), request);
    assertThat(request.tagged()).isFalse();
    assertThat(request.plannedReads(0)).isEqualTo(1);
  }

  private static Order<TestOp> fifo() {
    return PolicyMaker.make("order.fifo", "capacity: 64");
  }

  private static Order<TestOp> bottleneck() {
    return PolicyMaker.make("order.bottleneck", "capacity: 64", "max-wait: 1h");
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
        // One op of cost 1, as in the example: FG counts as a single key here.
        .request("R3", new Part("F", 2, 1))
        .request("R4", new Part("H", 1, 2), new Part("I", 2, 2));
  }

  private static HandScheduler figureOne(FanoutPlanner planner, Supplier<Order<TestOp>> orders) {
    return new HandScheduler(planner, orders)
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

  private static Request replanned(Request request) {
    request.clearPlan();
    return request;
  }

  private static long[] priorities(Request request) {
    return IntStream.range(0, request.reads()).mapToLong(request::priority).toArray();
  }

  private static long[] delays(Request request) {
    return IntStream.range(0, request.reads()).mapToLong(request::sendDelayNanos).toArray();
  }

  private static void plan(FanoutPlanner planner, Request request) {
    planner.plan(request, PolicyMaker.make("select.stock"), new FakeView(16));
  }

  private static Map<String, Long> ends(long... ends) {
    return Map.of("R1", ends[0], "R2", ends[1], "R3", ends[2], "R4", ends[3]);
  }

  private static double mean(Map<String, Long> ends) {
    return ends.values().stream().mapToLong(end -> end).average().orElseThrow();
  }
}
