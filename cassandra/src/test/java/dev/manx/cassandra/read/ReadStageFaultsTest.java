/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import java.util.Map;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.db.ReadCommand;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** If any part of Manx around the queue fails, each read still runs once. */
@Timeout(60)
class ReadStageFaultsTest {
  private static final int READS = 5;

  private final VirtualStage stock = new VirtualStage(1);
  private int ran;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @ParameterizedTest
  @ValueSource(strings = {"measures", "queues", "counters"})
  void eachReadRunsOnceThoughAPartOfManxFails(String part) throws Exception {
    Engine whole = TestEngines.of("strategy: manx", stock::now);
    Engine engine = TestEngines.failing(whole, part);
    ReadStage stage = new ReadStage(stock.executor(), whole, () -> engine, new ReadRunnables());
    for (int read = 0; read < READS; read++) {
      stage.execute(stock.watched(() -> ran++, 10));
    }
    stock.runUntil(1_000);
    assertThat(ran).isEqualTo(READS);
    assertThat(stage.queued()).isZero();
    assertThat(whole.counters().get(Counter.FAULTS)).isPositive();
  }

  /** A held read that waits, and whose tracking can neither begin nor end. */
  @Test
  void aReadWhoseTrackingCannotEndRunsOnce() throws Exception {
    Engine whole = TestEngines.of("strategy: manx", stock::now);
    Engine engine = TestEngines.with(TestEngines.failing(whole, "load"), "counters", null);
    ReadStage stage = new ReadStage(stock.executor(), whole, () -> engine, new ReadRunnables());
    stage.execute(stock.watched(() -> ran++, 10));
    ReadCommand command = TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
    whole.sent(-1, whole.self(), 10, 7, 1_000);
    QueuedRead read = new QueuedRead(engine, () -> {}, command::complete);
    read.local(new LocalRead(command, null, Map.of(), null, -1, engine.self()));
    stage.enter(engine, read, stock.watched(() -> ran++, 10), ExecutorLocals.current());
    stock.runUntil(1_000);
    assertThat(ran).isEqualTo(2);
  }

  /** Otherwise it would end as a time-out, and this node would look slow to the selector. */
  @Test
  void theTicketOfAReadIsClosedThoughItsEndFails() {
    Engine engine = TestEngines.failing(TestEngines.of("strategy: manx", stock::now), "measures");
    ReadCommand command = TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
    engine.sent(-1, engine.self(), 10, 7, 1_000);
    // No callback waits for it, so its answer cannot be looked up.
    QueuedRead read = new QueuedRead(engine, () -> {}, command::complete);
    read.local(new LocalRead(command, null, Map.of(), null, -1, engine.self()));
    read.run();
    assertThat(engine.counters().get(Counter.FAULTS)).isPositive();
    assertThat(engine.state().tickets().size()).isZero();
    assertThat(engine.counters().get(Counter.TICKETS_ANSWERED)).isEqualTo(1);
  }
}
