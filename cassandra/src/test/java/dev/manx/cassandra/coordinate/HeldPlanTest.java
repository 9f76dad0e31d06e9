/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.hold.TestHolds;
import dev.manx.policy.Request;
import dev.manx.policy.facts.FactColumn;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ReadCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeldPlanTest {
  private static final long MILLI = 1_000_000;
  private static final int NODE = 1;
  private static final int SECOND = 2;
  private static final String RANKED =
      "strategy: { order: order.boost, fanout: fanout.brb-equalmax }";

  private final AtomicLong now = new AtomicLong();
  private final AtomicReference<Engine> present = new AtomicReference<>();
  private final ThreadPlan plan = ThreadPlan.current();

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @AfterEach
  void end() {
    plan.close();
  }

  /** A trial in shadow mode is judged by the number of holds, and a node that is on makes none. */
  @Test
  void aReadThatIsOnlyFollowedIsNotHeld() {
    for (Mode mode : new Mode[] {Mode.ON, Mode.SHADOW}) {
      Engine engine =
          TestEngines.of(
              "strategy: { fanout: fanout.tailx-hold }", now::get, mode, self -> present.get());
      Request request = plan.request();
      request.begin(now.get(), new SplittableRandom(1), 16);
      request.addRead(null, 0, 1);
      request.addReplica(NODE, 0);
      engine.strategy().plan(request, engine.state());
      request.delaySend(0, MILLI);
      plan.open(engine, 1, false);
      assertThat(HeldPlan.concerns(engine, plan, 0, NODE)).as("%s, planned", mode).isTrue();
      plan.open(engine, 2, true);
      assertThat(HeldPlan.concerns(engine, plan, 0, NODE)).as("%s, followed", mode).isFalse();
    }
  }

  /** A request of one read; its replica has the message and serves other reads. */
  private void waitsAtItsReplica(Engine engine, boolean followed) {
    Request request = plan.request();
    request.begin(now.get(), new SplittableRandom(1), 16);
    request.addRead(null, 0, 1);
    request.addReplica(NODE, 0);
    request.addReplica(SECOND, 0);
    engine.strategy().plan(request, engine.state());
    plan.open(engine, 1, followed);
    assertThat(HeldPlan.concerns(engine, plan, 0, NODE)).as("the plan holds nothing").isFalse();
    plan.sent(0, 70, now.get());
    engine.sent(70, NODE, MILLI, 7, 1_000 * MILLI);
    now.addAndGet(100 * MILLI);
    engine.signs().answered(NODE, now.get());
    engine.state().apply(FactColumn.WORK_AHEAD, SECOND, MILLI, now.get());
  }

  private boolean holds(Engine engine, int node, AtomicInteger left) {
    return holds(engine, "plain", node, left);
  }

  private boolean holds(Engine engine, String table, int node, AtomicInteger left) {
    return holds(
        engine, TestSchema.command("SELECT * FROM ks." + table + " WHERE k = 1"), node, left);
  }

  private boolean holds(Engine engine, ReadCommand command, int node, AtomicInteger left) {
    return HeldPlan.holds(
        engine,
        plan,
        0,
        command,
        node,
        71,
        1_000 * MILLI,
        () -> TestHolds.read(engine, plan.holds(), left::incrementAndGet));
  }

  /** By hand: after 100 ms it is asked again after 12.5 ms, at the next whole millisecond. */
  @Test
  void aRetryOfStockWaitsAndARepairDoesNot() {
    Engine engine = TestEngines.of(RANKED, now::get, Mode.ON, self -> present.get());
    present.set(engine);
    TestHolds.use(engine);
    waitsAtItsReplica(engine, false);
    assertThat(HeldPlan.concerns(engine, plan, 0, SECOND)).as("a retry").isTrue();
    AtomicInteger left = new AtomicInteger();
    assertThat(holds(engine, NODE, left)).as("a repair").isFalse();
    assertThat(holds(engine, SECOND, left)).isTrue();
    assertThat(engine.counters().get(Counter.RETRIES_HELD)).isEqualTo(1);
    now.addAndGet(13 * MILLI - 1);
    engine.signs().answered(NODE, now.get());
    engine.state().apply(FactColumn.WORK_AHEAD, SECOND, 0, now.get());
    TestHolds.release(engine);
    assertThat(left).hasValue(0);
    now.incrementAndGet();
    TestHolds.release(engine);
    assertThat(left).hasValue(1);
    assertThat(HeldPlan.concerns(engine, plan, 0, SECOND)).as("a third copy").isFalse();
  }

  /** Stock reads the keys one after another, and once the request is late retries each at once. */
  @Test
  void retriesOfPagedReadsWait() {
    Engine engine = TestEngines.of(RANKED, now::get, Mode.ON, self -> present.get());
    present.set(engine);
    TestHolds.use(engine);
    waitsAtItsReplica(engine, false);
    plan.paged();
    assertThat(HeldPlan.concerns(engine, plan, 0, SECOND)).isTrue();
    assertThat(holds(engine, SECOND, new AtomicInteger())).isTrue();
  }

  @Test
  void readsThatATableAlwaysSendsTwiceAreNoRetries() {
    Engine engine = TestEngines.of(RANKED, now::get, Mode.ON, self -> present.get());
    present.set(engine);
    TestHolds.use(engine);
    waitsAtItsReplica(engine, false);
    assertThat(HeldPlan.concerns(engine, plan, 0, SECOND)).isTrue();
    assertThat(holds(engine, "twice", SECOND, new AtomicInteger())).isFalse();
    assertThat(holds(engine, "plain", SECOND, new AtomicInteger())).isTrue();
  }

  /** Stock decides by the present option; a statement prepared before has the earlier one. */
  @Test
  void theOptionOfATableMayChangeWhileItsStatementsStayPrepared() {
    Engine engine = TestEngines.of(RANKED, now::get, Mode.ON, self -> present.get());
    present.set(engine);
    TestHolds.use(engine);
    waitsAtItsReplica(engine, false);
    assertThat(HeldPlan.concerns(engine, plan, 0, SECOND)).isTrue();
    TestSchema.speculates("altered", "99p");
    ReadCommand prepared = TestSchema.command("SELECT * FROM ks.altered WHERE k = 1");
    TestSchema.speculates("altered", "ALWAYS");
    assertThat(holds(engine, prepared, SECOND, new AtomicInteger())).isFalse();
    prepared = TestSchema.command("SELECT * FROM ks.altered WHERE k = 1");
    TestSchema.speculates("altered", "99p");
    assertThat(holds(engine, prepared, SECOND, new AtomicInteger())).isTrue();
  }

  /** A trial's multigets are paged, and nearly all of their retries would not be sent when on. */
  @Test
  void shadowModeHoldsAndCountsNoRetry() {
    Engine engine = TestEngines.of(RANKED, now::get, Mode.SHADOW, self -> present.get());
    present.set(engine);
    TestHolds.use(engine);
    waitsAtItsReplica(engine, false);
    assertThat(HeldPlan.concerns(engine, plan, 0, SECOND)).isTrue();
    assertThat(holds(engine, SECOND, new AtomicInteger())).isFalse();
    assertThat(engine.counters().get(Counter.RETRIES_HELD)).isZero();
  }

  @Test
  void retriesOfRequestsThatAreLeftToStockDoNotWait() {
    Engine engine = TestEngines.of(RANKED, now::get);
    waitsAtItsReplica(engine, true);
    assertThat(HeldPlan.concerns(engine, plan, 0, SECOND)).isFalse();
  }

  @Test
  void noRetryWaitsIfTheConfigurationSaysSo() {
    Engine engine =
        TestEngines.configured(TestEngines.of(RANKED, now::get), "{ hold-retries: false }");
    waitsAtItsReplica(engine, false);
    assertThat(HeldPlan.concerns(engine, plan, 0, SECOND)).isFalse();
  }

  /** Sent twice, a coordinator's own read would count as the answers of two replicas. */
  @Test
  void aHeldReadIsNotSentAtOnceAsWellAlthoughItsRecordFails() {
    Engine whole =
        TestEngines.of(
            "strategy: { fanout: fanout.tailx-hold }", now::get, Mode.ON, self -> present.get());
    Engine broken = TestEngines.failing(whole, "clock");
    present.set(broken);
    TestHolds.use(broken);
    Request request = plan.request();
    request.begin(now.get(), new SplittableRandom(1), 16);
    request.addRead(null, 0, 1);
    request.addReplica(NODE, 0);
    whole.strategy().plan(request, whole.state());
    request.delaySend(0, MILLI);
    plan.open(1, true, false);

    AtomicInteger left = new AtomicInteger();
    boolean held =
        HeldPlan.holds(
            broken,
            plan,
            0,
            TestSchema.command("SELECT * FROM ks.plain WHERE k = 1"),
            NODE,
            7,
            1_000 * MILLI,
            () -> TestHolds.read(broken, plan.holds(), left::incrementAndGet));
    assertThat(held).isTrue();
    assertThat(broken.counters().get(Counter.FAULTS)).isEqualTo(1);
    now.set(MILLI);
    TestHolds.release(broken);
    assertThat(left).hasValue(1);
  }
}
