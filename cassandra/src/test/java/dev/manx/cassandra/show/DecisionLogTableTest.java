/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import dev.manx.cassandra.ManxQueryHandler;
import dev.manx.cassandra.TestSchema;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.service.ClientState;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request for many parts would hold all of them in the heap. */
class DecisionLogTableTest {
  private final ManxQueryHandler.Gate gate = ManxTables.gate();

  @BeforeAll
  static void tables() {
    TestSchema.load();
    VirtualKeyspaceRegistry.instance.register(
        new VirtualKeyspace(
            ManxTables.KEYSPACE,
            ImmutableList.of(new StrategyTable(null), new DecisionLogTable(null))));
  }

  private void check(String cql) {
    SelectStatement select = TestSchema.select(cql);
    gate.check(select, ClientState.forInternalCalls());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM manx.decision_log WHERE part IN (0, 1)",
        "SELECT part FROM manx.decision_log WHERE part IN ?",
        "SELECT JSON * FROM manx.decision_log WHERE part IN (?, ?)",
        "SELECT count(*) FROM manx.decision_log WHERE part IN (0, 1)"
      })
  void aRequestForSeveralPartsIsRefused(String cql) {
    assertThatThrownBy(() -> check(cql))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("one part at a time")
        .hasMessageContaining("WHERE part = 0");
  }

  @Test
  void aRequestForAllPartsIsRefused() {
    assertThatThrownBy(() -> new DecisionLogTable(null).data())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("WHERE part = 0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT bytes FROM manx.decision_log WHERE part = ?",
        "SELECT * FROM manx.strategy WHERE name IN ('mode', 'document')",
        "SELECT * FROM manx.strategy",
        "SELECT * FROM ks.plain WHERE k IN (0, 1)"
      })
  void otherRequestsPass(String cql) {
    assertThatCode(() -> check(cql)).doesNotThrowAnyException();
  }
}
