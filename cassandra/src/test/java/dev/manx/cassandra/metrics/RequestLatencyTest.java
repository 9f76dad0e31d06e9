/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestSchema;
import java.util.List;
import org.apache.cassandra.schema.Schema;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tables with entries of their own. */
class RequestLatencyTest {
  private final RequestLatency latency =
      new RequestLatency(1, (keyspace, table) -> !table.equals("plain"));

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private void read(String table) {
    latency.add(
        Schema.instance.getTableMetadata("ks", table),
        Width.ONE,
        Group.ACTED,
        Pressure.BUSY,
        1,
        1_000_000,
        Ending.ANSWERED);
  }

  private List<String> rows() {
    return latency.rows().stream().map(RequestLatency.Row::table).toList();
  }

  private boolean has(String table) {
    return !latency.of("ks", table, Width.ONE).isEmpty();
  }

  @Test
  void aTableThatTheCanaryIncludesTakesTheEntryOfAnother() {
    read("plain");
    assertThat(rows()).containsExactly("ks.plain");
    assertThat(has("plain")).isTrue();
    read("wide");
    assertThat(rows()).containsExactly("all", "ks.wide");
    assertThat(has("plain")).isFalse();
    assertThat(has("wide")).isTrue();
    read("plain");
    assertThat(rows()).as("the excluded table gets no entry again").hasSize(2);
    read("pair");
    assertThat(rows()).as("nor does a second one").containsExactly("all", "ks.wide", "other");
    assertThat(latency.memoryBytes()).isLessThanOrEqualTo(latency.mostBytes());
  }

  @Test
  void theEntryOfADroppedTableIsFree() {
    read("plain");
    latency.sweep(id -> false);
    assertThat(rows()).isEmpty();
    read("wide");
    latency.sweep(id -> false);
    assertThat(rows()).containsExactly("all", "other");
    assertThat(has("wide")).isFalse();
    assertThat(latency.of("", RequestLatency.OTHER, Width.ONE)).hasSize(1);
    read("pair");
    assertThat(rows()).containsExactly("all", "ks.pair", "other");
  }
}
