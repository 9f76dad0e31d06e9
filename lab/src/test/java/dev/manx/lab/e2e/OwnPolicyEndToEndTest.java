/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A third party's policy in a jar next to the plugin's, on nodes. */
@SharedNodes
class OwnPolicyEndToEndTest {
  private static final String STRATEGY =
      "strategy: { select: { policy: select.reported-queue, max-age: 100ms },"
          + " facts: [pending-reads] }";

  @Test
  void aNodeFindsThePolicyInAJarBesideThePlugins(ThreeNodes nodes) {
    nodes.admin().execute(nodes.admin().nodes().get(0), SCHEMA);
    nodes.admin().execute(nodes.admin().nodes().get(0), TABLE);
    for (int key = 0; key < 6; key++) {
      nodes
          .session()
          .driver()
          .execute(
              SimpleStatement.newInstance("INSERT INTO own.t (k) VALUES (?)", "k" + key)
                  .setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
    nodes.set("document", STRATEGY);
    nodes.set("mode", "on");
    assertThat(nodes.table(0, "manx.strategy", "value"))
        .containsEntry("policy.select", "select.reported-queue");
    long before = counter(nodes, "select_decisions");
    long faults = counter(nodes, "faults");
    for (int i = 0; i < 20; i++) {
      assertThat(
              nodes
                  .admin()
                  .rows(
                      nodes.admin().nodes().get(0),
                      "SELECT k FROM own.t WHERE k IN ('k0', 'k1', 'k2', 'k3', 'k4', 'k5')"))
          .hasSize(6);
    }
    assertThat(counter(nodes, "select_decisions") - before).isGreaterThanOrEqualTo(120);
    assertThat(counter(nodes, "select_changed")).isPositive();
    assertThat(counter(nodes, "faults")).isEqualTo(faults);
  }

  @AfterEach
  void off(ThreeNodes nodes) {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  private static long counter(ThreeNodes nodes, String name) {
    return Long.parseLong(nodes.table(0, "manx.counters", "value").get(name));
  }

  private static final String SCHEMA =
      "CREATE KEYSPACE IF NOT EXISTS own WITH replication ="
          + " {'class': 'SimpleStrategy', 'replication_factor': 3}";
  private static final String TABLE = "CREATE TABLE IF NOT EXISTS own.t (k text PRIMARY KEY)";
}
