/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.copy.FakeCallbacks;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A third party's planner whose budget for a replica's copies cannot be made. */
@Timeout(60)
class TieBudgetTest {
  @BeforeAll
  static void load() {
    TestSchema.load();
  }

  private static Engine engine(String planner) {
    String strategy = "strategy: { fanout: { policy: " + planner + " } }";
    return TestEngines.failing(TestEngines.of(strategy, () -> 0), "none of them");
  }

  @Test
  void itIsAFaultAndTheNodeStillSupportsCopies() {
    Engine engine = engine("fanout.without-budget-tied");
    engine.ties().use(engine, new FakeCallbacks(), new MessageNotices());
    assertThat(engine.counters().get(Counter.FAULTS)).isEqualTo(1);
    assertThat(engine.ties().isUsed()).isTrue();
    assertThat(engine.ties().passedOn().isUsed()).isFalse();
  }

  @Test
  void theBudgetOfTheLastStrategyDoesNotServeTheNext() {
    TiedBench bench = new TiedBench("fanout.asking-tied", "", Mode.ON);
    assertThat(bench.queuedAtFirst(bench.send())).as("may be passed on").isNotNull();
    Engine next = engine("fanout.without-budget-tied");
    bench.first.ties().use(next, bench.ofFirst, new MessageNotices());
    assertThat(next.counters().get(Counter.FAULTS)).isEqualTo(1);
    assertThat(bench.queuedAtFirst(bench.send())).as("waits as in stock").isNull();
  }
}
