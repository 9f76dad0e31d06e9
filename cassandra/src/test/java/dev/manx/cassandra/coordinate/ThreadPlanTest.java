/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadPlanTest {
  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @AfterEach
  void close() {
    TestPlans.close();
  }

  private static SinglePartitionReadCommand of(String table, int key) {
    return (SinglePartitionReadCommand)
        TestSchema.command("SELECT * FROM ks." + table + " WHERE k = " + key);
  }

  /**
   * Otherwise the lookup of a role on the request's thread could be tagged, copied and counted as
   * the request's read.
   */
  @Test
  void aReadOfTheSameTokenInAnotherTableIsNotThePlanned() {
    Engine engine = TestEngines.of("strategy: manx", () -> 7);
    TestPlans.open(engine, of("plain", 1), 1, false, 0, 1);
    ThreadPlan plan = ThreadPlan.current();
    assertThat(of("altered", 1).partitionKey().getToken())
        .isEqualTo(of("plain", 1).partitionKey().getToken());
    assertThat(plan.readToSend(of("altered", 1))).isEqualTo(-1);
    assertThat(plan.readToSend(of("plain", 2))).isEqualTo(-1);
    assertThat(plan.readToSend(of("plain", 1))).isZero();
    assertThat(plan.readToSend(of("plain", 1))).as("sent again").isZero();
  }
}
