/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class LearnedCostsTest {
  private final LearnedCosts costs = new LearnedCosts();

  @Test
  void tablesDoNotTeachEachOther() {
    costs.of(table(1)).learn(5_000_000);
    costs.of(table(2)).learn(100_000);
    assertThat(costs.of(table(1)).nanos(1)).isEqualTo(5_000_000);
    assertThat(costs.of(table(2)).nanos(1)).isEqualTo(100_000);
  }

  @Test
  void beyondTheBoundTablesShareOneCost() {
    for (int i = 0; i < LearnedCosts.MOST; i++) {
      costs.of(table(i));
    }
    costs.of(table(1_000)).learn(7_000);
    assertThat(costs.of(table(2_000)).nanos(1)).isEqualTo(7_000);
    assertThat(costs.of(table(0)).nanos(1)).isEqualTo(1);
  }

  private static TableId table(int i) {
    return TableId.fromUUID(new UUID(7, i));
  }
}
