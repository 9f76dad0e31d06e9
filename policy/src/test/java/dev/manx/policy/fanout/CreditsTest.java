/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.TestRead;
import dev.manx.policy.strategy.PolicyMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Cases of BRB's credits, computed by hand. */
class CreditsTest {
  private static final long SECOND = 1_000_000_000;
  private final FakeView view = new FakeView(4);

  @Test
  void creditsAreInProportionToDemandAndShrinkUnderCongestion() {
    CreditController controller = new CreditController(3, 1, 100, 0.01);
    demand(controller);
    controller.adapt();
    assertThat(credits(controller)).containsExactly(50, 25, 25);
    controller.congested(0);
    demand(controller);
    controller.adapt();
    assertThat(credits(controller)).containsExactly(45, 22.5, 22.5);
  }

  @Test
  void capacityFallsToHalfAtMostAndRecoversAfterThreeClearIntervals() {
    CreditController controller = new CreditController(1, 1, 100, 0);
    for (int i = 0; i < 20; i++) {
      controller.congested(0);
      controller.adapt();
    }
    assertThat(controller.capacity(0)).isEqualTo(50);
    controller.adapt();
    controller.adapt();
    assertThat(controller.capacity(0)).as("two clear").isEqualTo(50);
    controller.adapt();
    assertThat(controller.capacity(0)).isCloseTo(51, within(1e-9));
    for (int i = 0; i < 100; i++) {
      controller.adapt();
    }
    assertThat(controller.capacity(0)).isEqualTo(100);
  }

  @Test
  void nodesMayDifferInCapacityAndAnotherControllerContinuesFromThere() {
    CreditController controller = new CreditController(2, 2, 100, 0.1);
    controller.congested(1);
    controller.adapt();
    controller.nominal(1, 800);
    assertThat(controller.capacity(1)).as("nine tenths").isCloseTo(720, within(1e-9));
    CreditController next = new CreditController(4, 1, 100, 0.1);
    next.inherit(0, controller, 1);
    assertThat(next.capacity(0)).isCloseTo(720, within(1e-9));
    next.demand(2, new long[] {5});
    next.adapt();
    double[] credit = new double[1];
    next.credits(2, credit);
    assertThat(credit[0]).as("all of it").isCloseTo(720, within(1e-9));
    next.credits(3, credit);
    assertThat(credit[0]).as("a tenth of an equal share of its own nominal").isEqualTo(20);
  }

  @Test
  void withoutAControllerEveryNodeIsOpenAndThenBucketsAreFull() {
    CreditBuckets buckets = new CreditBuckets(() -> 0, SECOND, 1, 1, SECOND, 0);
    buckets.grant(new double[] {100, Credits.UNBOUNDED}, 0);
    buckets.spend(0, 2 * SECOND, 0);
    buckets.spend(1, 2 * SECOND, 0);
    assertThat(buckets.opensAtNanos(0)).isPositive();
    assertThat(buckets.opensAtNanos(1)).as("unbounded").isLessThan(0);
    assertThat(buckets.available(1, 0)).isPositive();
    assertThat(buckets.opensAtNanos(5)).as("not granted anything").isLessThan(0);
    long grants = buckets.grants();
    buckets.suspend();
    assertThat(buckets.grants()).as("waiting reads are checked again").isEqualTo(grants + 1);
    buckets.suspend();
    assertThat(buckets.grants()).isEqualTo(grants + 1);
    assertThat(buckets.opensAtNanos(0)).isNegative();
    buckets.spend(0, 5 * SECOND, 0);
    buckets.grant(new double[] {100, 100}, SECOND);
    assertThat(buckets.available(0, SECOND)).isEqualTo(100);
    assertThat(buckets.available(1, SECOND)).as("it was unbounded").isEqualTo(100);
    assertThat(buckets.opensAtNanos(0)).isEqualTo(SECOND);
  }

  @Test
  void silenceForAnIntervalLeavesAFloor() {
    CreditController controller = new CreditController(4, 1, 100, 0.1);
    controller.demand(1, new long[] {10});
    controller.adapt();
    double[] credit = new double[1];
    controller.credits(0, credit);
    assertThat(credit[0]).isEqualTo(2.5);
    controller.adapt();
    controller.credits(0, credit);
    assertThat(credit[0]).as("without demand: equal shares").isEqualTo(25);
  }

  @Test
  void aMeterSignalsOnceAnInterval() {
    CongestionMeter meter = new CongestionMeter(SECOND, 100);
    assertThat(meter.arrived(100, 0)).isFalse();
    assertThat(meter.arrived(1, 1)).isTrue();
    assertThat(meter.arrived(100, 2)).isFalse();
    assertThat(meter.arrived(101, SECOND)).isTrue();
  }

  /** Forecasts that are three times too high at node 0, and right at node 1. */
  @Test
  void creditIsPaidInServiceTimesOnceSomeAreKnown() {
    CreditBuckets credits = buckets();
    assertThat(credits.available(0, 0)).as("half of four cores").isEqualTo(2e9);
    credits.served(0, 300, 100);
    credits.spend(0, 3_000, 0);
    assertThat(credits.available(0, 0)).as("too few are known").isEqualTo(2e9 - 3_000);
    for (int read = 0; read < 1_000; read++) {
      credits.served(0, 300, 100);
      credits.served(1, 100, 100);
    }
    credits.spend(0, 3_000, 0);
    credits.spend(1, 3_000, 0);
    assertThat(credits.available(0, 0)).isCloseTo(2e9 - 4_000, within(1e-3));
    assertThat(credits.available(1, 0)).isEqualTo(2e9 - 3_000);
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 2);
    request.addRead(null, 1, 1);
    request.addReplica(0, 0);
    request.addReplica(1, 0);
    request.forecast(0, 1_000, 600, 600);
    credits.want(request, 0);
    long[] demand = new long[2];
    credits.takeDemand(demand);
    assertThat(demand).as("half of the read at each, in service time").containsExactly(100, 300);
  }

  @Test
  void readsGoToTheMostCreditByPriorityAndWaitForMore() {
    CreditBuckets credits = buckets();
    Gate<TestRead> gate = planner(credits, false).newGate();
    credits.grant(new double[] {SECOND / 2.0, SECOND / 4.0, 0, 0}, 0);
    gate.offer(new TestRead("second", 2, SECOND / 2, 0, 1));
    gate.offer(new TestRead("first", 1, SECOND, 1, 0));
    gate.offer(new TestRead("third", 3, 1, 1, 0));
    gate.offer(new TestRead("fourth", 4, 1, 1));
    assertThat(released(gate, 0)).containsExactly("first to 0", "second to 1");
    assertThat(gate.size()).isEqualTo(2);
    // Node 0 owes half a second at half a second a second; node 1 a quarter at a quarter.
    long next = gate.nextReleaseNanos(0);
    assertThat(next).isCloseTo(SECOND, within(2L));
    assertThat(released(gate, next - 2)).isEmpty();
    assertThat(released(gate, next)).containsExactly("third to 0", "fourth to 1");
    assertThat(gate.nextReleaseNanos(next)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void withoutCreditOnlyAGrantHelps() {
    CreditBuckets credits = buckets();
    Gate<TestRead> gate = planner(credits, false).newGate();
    credits.grant(new double[] {0, 0, 0, 0}, 0);
    TestRead read = new TestRead("read", 1, 1, 0);
    gate.offer(read);
    assertThat(released(gate, 0)).isEmpty();
    assertThat(gate.nextReleaseNanos(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(gate.remove(read)).isTrue();
    gate.offer(read);
    credits.grant(new double[] {10, 0, 0, 0}, SECOND);
    assertThat(released(gate, 2 * SECOND)).containsExactly("read to 0");
  }

  @Test
  void demandIsThePlannedWorkSharedByTheReplicas() {
    CreditBuckets credits = buckets();
    planned(planner(credits, false));
    long[] demand = new long[4];
    credits.takeDemand(demand);
    assertThat(demand).containsExactly(20, 20, 20, 0);
    credits.takeDemand(demand);
    assertThat(demand).as("forgotten").containsExactly(0, 0, 0, 0);
  }

  /** Each of its messages spends credit. */
  @Test
  void aReadAtSeveralReplicasIsTheDemandOfSeveralReads() {
    CreditBuckets credits = buckets();
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 4);
    request.addRead(null, 1, 2);
    for (int node = 0; node < 3; node++) {
      request.addReplica(node, 0);
    }
    request.forecast(0, 0, 30, 30);
    planner(credits, false).plan(request, PolicyMaker.make("select.stock"), view);
    long[] demand = new long[4];
    credits.takeDemand(demand);
    assertThat(demand).containsExactly(20, 20, 20, 0);
  }

  @Test
  void aSubtaskGoesToOneNodeAsAWhole() {
    CreditBuckets credits = buckets();
    credits.grant(new double[] {10, 1_000, 100, 0}, 0);
    Request request = planned(planner(credits, true));
    for (int read = 0; read < 3; read++) {
      assertThat(request.replica(read, 0)).isEqualTo(1);
      assertThat(request.candidates(read)).isEqualTo(1);
      assertThat(request.priority(read)).isEqualTo(60);
    }
    assertThat(request.plannedReads(1)).isEqualTo(3);
    Request each = planned(planner(credits, false));
    assertThat(each.candidates(0)).isGreaterThan(2);
  }

  /** Two replica groups with the same first replica, as several racks or tokens make them. */
  @Test
  void aReadGoesToNoReplicaWithoutCreditBecauseItsGroupsNodeIsNotItsOwn() {
    CreditBuckets credits = buckets();
    credits.grant(new double[] {0, 1_000, 0, 500, 0}, 0);
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 5);
    for (int[] replicas : new int[][] {{0, 1, 2}, {0, 3, 4}, {0, 2, 1}}) {
      request.addRead(null, request.reads(), 1);
      for (int replica : replicas) {
        request.addReplica(replica, 0);
      }
      request.forecast(request.reads() - 1, 0, 20, 20);
    }
    planner(credits, true).plan(request, PolicyMaker.make("select.stock"), new FakeView(5));
    assertThat(request.replica(0, 0)).isEqualTo(1);
    assertThat(request.replica(1, 0)).isEqualTo(3);
    assertThat(request.replica(2, 0)).isEqualTo(1);
    assertThat(request.mended()).isZero();
  }

  /**
   * Credit 10, 1000, 100 and 0; outstanding work 5, 7, 5 and 0. Node 1 has the most credit; the
   * least work with credit left is at nodes 0 and 2, of which 2 has more credit; node 3 has no
   * credit.
   */
  @Test
  void theMostCreditOrTheLeastWorkAmongThoseWithCredit() {
    for (CreditPreference prefer : CreditPreference.values()) {
      CreditBuckets credits = buckets();
      credits.grant(new double[] {10, 1_000, 100, 0}, 0);
      credits.spend(3, 1, 0);
      view.workNanos[0] = 5;
      view.workNanos[1] = 7;
      view.workNanos[2] = 5;
      Gate<TestRead> gate = planner(credits, false, prefer).newGate();
      gate.offer(new TestRead("read", 1, 1, 3, 0, 1, 2));
      boolean mostCredit = prefer == CreditPreference.MOST_CREDIT;
      assertThat(released(gate, 0)).containsExactly("read to " + (mostCredit ? 1 : 2));
    }
  }

  @Test
  void aSubtaskGoesToTheLeastWorkAmongThoseWithCredit() {
    CreditBuckets credits = buckets();
    credits.grant(new double[] {10, 1_000, 100, 0}, 0);
    view.workNanos[1] = 7;
    view.workNanos[2] = 6;
    FanoutPlanner planner = planner(credits, true, CreditPreference.LEAST_WORK);
    assertThat(planned(planner, view).replica(0, 0)).as("idle and in credit").isZero();
    credits.spend(0, 10, 0);
    assertThat(planned(planner, view).replica(0, 0)).as("0 has none left").isEqualTo(2);
    credits.spend(1, 2_000, 0);
    credits.spend(2, 1_000, 0);
    assertThat(planned(planner, view).replica(0, 0)).as("none has: the least debt").isZero();
  }

  /** If nodes are fixed at once, a request's reads share the available credit. */
  @Test
  void fixedNodesAreThoseWithCreditTheRequestsOwnWorkTakenOff() {
    for (CreditPreference prefer : CreditPreference.values()) {
      CreditBuckets credits = buckets();
      credits.grant(new double[] {0, 30, 30, 1_000}, 0);
      FanoutPlanner planner = planner(credits, false, prefer);
      Request request = planned(planner);
      planner.fixNodes(request, view);
      for (int read = 0; read < 3; read++) {
        assertThat(request.replica(read, 0)).as("read %d", read).isEqualTo(read == 1 ? 2 : 1);
        assertThat(request.priority(read)).isEqualTo(60);
      }
      assertThat(request.plannedWorkNanos(1)).isEqualTo(40);
      assertThat(request.plannedWorkNanos(2)).isEqualTo(20);
      assertThat(request.tagged()).isTrue();
      assertThat(request.bottleneck()).isEqualTo(60);
      assertThat(request.mended()).isZero();
    }
  }

  /** A node without Manx, and a cluster without a controller. */
  @Test
  void aNodeThatNeedsNoCreditDoesNotGetAllReads() {
    for (CreditPreference prefer : CreditPreference.values()) {
      for (boolean suspended : new boolean[] {false, true}) {
        CreditBuckets credits = buckets();
        credits.grant(new double[] {1_000, Credits.UNBOUNDED, 1_000, 0}, 0);
        if (suspended) {
          credits.suspend();
        }
        FanoutPlanner planner = planner(credits, false, prefer);
        Request request = planned(planner);
        planner.fixNodes(request, view);
        for (int node = 0; node < 3; node++) {
          assertThat(request.plannedReads(node)).as("%s, node %d", prefer, node).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void nodesAreFixedInsideTheFirstDatacenterAndForAllContacts() {
    for (boolean perSubtask : new boolean[] {false, true}) {
      CreditBuckets credits = buckets();
      credits.grant(new double[] {10, 20, 30, 1_000}, 0);
      FanoutPlanner planner = planner(credits, perSubtask);
      Request request = new Request();
      request.begin(0, new SplittableRandom(1), 4);
      request.addRead(null, 1, 2);
      for (int node = 0; node < 3; node++) {
        request.addReplica(node, 0);
      }
      request.addReplica(3, 1);
      request.forecast(0, 0, 1, 1);
      planner.plan(request, PolicyMaker.make("select.stock"), view);
      planner.fixNodes(request, view);
      assertThat(request.replica(0, 0)).isEqualTo(2);
      assertThat(request.replica(0, 1)).isEqualTo(perSubtask ? 0 : 1);
      assertThat(request.replica(0, 3)).as("of another datacenter").isEqualTo(3);
      assertThat(request.mended()).isZero();
    }
  }

  @Test
  void aRecalledPlaceDecidesUnlessItIsInvalid() {
    FanoutPlanner planner = planner(buckets(), false);
    Request request = planned(planner);
    request.memory(own -> request.plannedReads(0) == 0 ? 2 : Long.MIN_VALUE);
    planner.fixNodes(request, view);
    assertThat(request.replica(0, 0)).as("the third place").isEqualTo(2);
    assertThat(request.mended()).isZero();
  }

  private static Request planned(FanoutPlanner planner) {
    return planned(planner, new FakeView(4));
  }

  private static Request planned(FanoutPlanner planner, FakeView view) {
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 4);
    for (int read = 0; read < 3; read++) {
      request.addRead(null, read, 1);
      request.addReplica(0, 0);
      request.addReplica(1, 0);
      request.addReplica(2, 0);
      request.forecast(read, 0, 20, 20);
    }
    planner.plan(request, PolicyMaker.make("select.stock"), view);
    return request;
  }

  private List<String> released(Gate<TestRead> gate, long now) {
    List<String> released = new ArrayList<>();
    for (TestRead read = gate.release(now, view); read != null; read = gate.release(now, view)) {
      released.add(read.name + " to " + read.node);
    }
    return released;
  }

  private static CreditBuckets buckets() {
    return new CreditBuckets(() -> 0, SECOND, 4, 2, SECOND, 0.1);
  }

  private static FanoutPlanner planner(CreditBuckets credits, boolean perSubtask) {
    return planner(credits, perSubtask, CreditPreference.MOST_CREDIT);
  }

  private static FanoutPlanner planner(
      CreditBuckets credits, boolean perSubtask, CreditPreference prefer) {
    return new BrbCreditsPlanner(Ranking.BRB_EQUALMAX, perSubtask, prefer, false, 64, credits);
  }

  private static void demand(CreditController controller) {
    controller.demand(0, new long[] {60});
    controller.demand(1, new long[] {30});
    controller.demand(2, new long[] {30});
  }

  private static double[] credits(CreditController controller) {
    double[] credits = new double[3];
    for (int client = 0; client < 3; client++) {
      double[] own = new double[1];
      controller.credits(client, own);
      credits[client] = own[0];
    }
    return credits;
  }
}
