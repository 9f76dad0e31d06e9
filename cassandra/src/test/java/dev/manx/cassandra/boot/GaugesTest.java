/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.strategy.Strategy;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Numbers by which the nodes of a cluster are compared. */
@Timeout(60)
class GaugesTest {
  @BeforeAll
  static void settings() {
    WithoutNode.settings();
  }

  @Test
  void canariesOfOneShareAndDifferentTablesHaveDifferentNumbers() {
    Parts parts = new Parts(TestConfigs.defaults(), RecordConfig.NONE, () -> {});
    Switches switches =
        new Switches(parts, Strategy.parse("test", "strategy: {}", parts.clock), "");
    Number all = canaryId(parts, switches, "100%");
    assertThat(canaryId(parts, switches, "{ tables: [shop.carts] }")).isNotEqualTo(all);
    assertThat(canaryId(parts, switches, "{ tables: [shop.items, shop.carts], share: 10% }"))
        .isEqualTo(canaryId(parts, switches, "{ share: 0.1, tables: [shop.carts, shop.items] }"));
    assertThat(canaryId(parts, switches, "1")).isEqualTo(all);
  }

  private static Number canaryId(Parts parts, Switches switches, String canary) {
    parts.measures.canary(CanaryConfig.parse("test", canary));
    return Gauges.of(parts, switches).get("CanaryId").get();
  }
}
