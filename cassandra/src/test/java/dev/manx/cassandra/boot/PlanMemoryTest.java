/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.coordinate.KeptPlan;
import dev.manx.cassandra.coordinate.ThreadPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of plans, by which the heap is checked. */
@Timeout(60)
class PlanMemoryTest {
  private static final int NODES = 1_024;
  private static final int KEPT = 512;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @AfterEach
  void keepMost() {
    ThreadPlan.keepReads(KEPT);
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 128, KEPT})
  void aThreadKeepsTheArraysThatAreCounted(int kept) {
    ThreadPlan.keepReads(kept);
    Engine engine = TestEngines.of("strategy: manx", () -> 7);
    long most = KeptPlan.bytes(engine, kept, NODES);
    assertThat(most - KeptPlan.bytes(engine, kept / 2, NODES))
        .isEqualTo(kept * NodeLimits.PLAN_READ_BYTES / 2);
    assertThat(KeptPlan.bytes(engine, kept, 2 * NODES) - most)
        .isEqualTo(NODES * NodeLimits.PLAN_NODE_BYTES);
    long counted = kept * NodeLimits.PLAN_READ_BYTES + NODES * NodeLimits.PLAN_NODE_BYTES;
    // In addition, a selector's scratch space and the end of the replicas.
    assertThat(most).isBetween(counted, counted + 256);
    assertThat(KeptPlan.bytes(engine, kept + 1, NODES)).as("not kept").isLessThan(most);
  }
}
