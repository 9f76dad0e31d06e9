/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import static dev.manx.workload.result.RowKey.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultRowsTest {
  private static MetricRow saturated(String arm, String requestClass, long is) {
    return MetricRow.of(new RowKey("trial", arm, requestClass, "70%", ALL, ALL), "saturated", is);
  }

  /** It is measured of all requests together, and concerns those of each class. */
  @Test
  void anArmThatIsSaturatedIsSoInEveryClass() {
    ResultRows rows =
        new ResultRows(
            List.of(),
            List.of(saturated("a", ALL, 1), saturated("b", ALL, 0), saturated("b", "narrow", 1)));
    Operand wide = new Operand("a", "wide", "70%", "P99", Map.of());
    assertThat(rows.saturated(wide)).isTrue();
    assertThat(rows.only(List.of(wide)).saturated(wide)).as("stored with the rows").isTrue();
    assertThat(rows.saturated(new Operand("b", "wide", "70%", "P99", Map.of()))).isFalse();
    assertThat(rows.saturated(new Operand("b", "narrow", "70%", "P99", Map.of()))).isTrue();
    assertThat(rows.saturated(new Operand("b", ALL, "70%", "P99", Map.of()))).isFalse();
  }

  @Test
  void aClosedLoopIsNotSaturatedByItsUtilisation() {
    for (String load : List.of("70%", "16 clients")) {
      RowKey key = new RowKey("trial", "a", ALL, load, ALL, ALL);
      ResultRows rows =
          new ResultRows(List.of(), List.of(MetricRow.of(key, "utilisation_pct", 95)));
      assertThat(rows.saturated(new Operand("a", ALL, load, "P99", Map.of())))
          .isEqualTo(load.equals("70%"));
    }
  }
}
