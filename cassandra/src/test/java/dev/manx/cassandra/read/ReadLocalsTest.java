/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.service.ClientWarn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A read runs with the locals of the thread that queued it, never with those of the ticket that
 * happens to run it: a client's warnings and trace must not reach another client.
 */
@Timeout(60)
class ReadLocalsTest {
  private final VirtualStage stock = new VirtualStage(1);
  private final List<ClientWarn.State> seen = new ArrayList<>();

  private final class Looks extends VirtualStage.Read {
    @Override
    void started(long nowNanos) {
      seen.add(ExecutorLocals.current().clientWarnState);
    }

    @Override
    void ended(long nowNanos) {}
  }

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @AfterEach
  void forget() {
    ClientWarn.instance.set(null);
  }

  @Test
  void aReadWithoutLocalsDoesNotSeeThoseOfTheTicketThatRunsIt() throws Exception {
    Engine engine = TestEngines.of("strategy: manx", stock::now);
    ReadStage stage = new ReadStage(stock.executor(), engine, () -> engine, new ReadRunnables());
    stage.execute(stock.read(new Looks(), 10));
    stage.execute(stock.read(new Looks(), 10));
    ClientWarn.instance.captureWarnings();
    ClientWarn.State mine = ClientWarn.instance.get();
    stage.execute(stock.read(new Looks(), 10));
    // The thread that runs the tickets has another client's locals.
    ClientWarn.instance.captureWarnings();
    stock.runUntil(1_000);
    assertThat(mine).isNotNull();
    assertThat(seen).containsExactly(null, null, mine);
  }
}
