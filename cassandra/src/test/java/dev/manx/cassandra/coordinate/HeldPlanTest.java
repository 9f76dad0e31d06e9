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
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeldPlanTest {
  private static final long MILLI = 1_000_000;
  private static final int NODE = 1;

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
      assertThat(HeldPlan.concerns(engine, plan, 0)).as("%s, planned", mode).isTrue();
      plan.open(engine, 2, true);
      assertThat(HeldPlan.concerns(engine, plan, 0)).as("%s, followed", mode).isFalse();
    }
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
