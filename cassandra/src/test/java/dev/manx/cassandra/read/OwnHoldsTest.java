/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.coordinate.TestPlans;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.hold.TestHolds;
import java.lang.reflect.Proxy;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which reads are held back from the read stage of their own node. */
@Timeout(60)
class OwnHoldsTest {
  private static final long DELAY_NANOS = 2_000_000;

  private int started;
  private SinglePartitionReadCommand command;
  private PlayedReads reads;
  private Engine engine;
  private ReadStage stage;

  /** Two free threads, which count what they get. */
  private final LocalAwareExecutorPlus stock =
      (LocalAwareExecutorPlus)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {LocalAwareExecutorPlus.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "execute", "maybeExecuteImmediately" -> {
                      started++;
                      yield null;
                    }
                    case "getMaximumPoolSize" -> 2;
                    case "getActiveTaskCount", "getPendingTaskCount" -> 0;
                    default -> throw new UnsupportedOperationException(method.toString());
                  });

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @BeforeEach
  void stage() throws ReflectiveOperationException {
    command = (SinglePartitionReadCommand) TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
    engine = TestEngines.of("strategy: manx", () -> 7);
    reads = new PlayedReads(command);
    stage = new ReadStage(stock, engine, () -> engine, reads);
    TestHolds.use(engine);
  }

  @AfterEach
  void close() {
    TestPlans.close();
  }

  private void arrives(boolean held) {
    started = 0;
    int before = engine.holds().held();
    stage.maybeExecuteImmediately(() -> {});
    assertThat(engine.holds().held() - before).isEqualTo(held ? 1 : 0);
    assertThat(started).isEqualTo(held ? 0 : 1);
  }

  private void plan(long delayNanos) {
    TestPlans.open(engine, command, 1, false, engine.self());
    ThreadPlan.current().request().delaySend(0, delayNanos);
  }

  @Test
  void aReadIsHeldAsItsPlanRequires() {
    plan(DELAY_NANOS);
    arrives(true);
    plan(0);
    arrives(false);
  }

  @Test
  void aReadOfAnotherNodesRequestIsNotHeld() {
    plan(DELAY_NANOS);
    reads.local = false;
    arrives(false);
  }

  @Test
  void aReadWithoutAnOpenPlanIsNotHeld() {
    plan(DELAY_NANOS);
    TestPlans.close();
    arrives(false);
  }
}
