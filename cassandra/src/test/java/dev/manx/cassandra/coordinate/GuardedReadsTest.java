/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestGuardrails;
import dev.manx.cassandra.TestSchema;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.ProtocolVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Reads that Cassandra will refuse because of their pages or their consistency level; they would be
 * counted as planned.
 */
@Timeout(60)
class GuardedReadsTest extends SentStatements {
  private static final ClientState ORDINARY = null;

  private final Engine engine = busy("strategy: manx");
  private final Executed single = new Executed("SELECT * FROM ks.plain WHERE k = 1", null);

  private static QueryOptions options(ConsistencyLevel level, int pageSize) {
    return QueryOptions.create(
        level, List.<ByteBuffer>of(), false, pageSize, null, null, ProtocolVersion.CURRENT, null);
  }

  private Asked asked(Executed select, ConsistencyLevel level, int pageSize, ClientState client) {
    QueryOptions options = options(level, pageSize);
    Concern concern = Concern.of(engine, select, options);
    return Asked.of(engine, select, options, client, true, concern, null);
  }

  private Asked counted(Executed select, QueryOptions options, ClientState client) {
    return Asked.counted(engine, select, options, client, true, Concern.PAGING);
  }

  @Test
  void aReadWithTooLargePagesIsLeftToStock() {
    Executed aggregate = new Executed("SELECT count(*) FROM ks.plain WHERE k = 1", null);
    TestGuardrails.pages(
        50,
        () -> {
          assertThat(asked(single, ConsistencyLevel.ONE, 51, ORDINARY)).isNull();
          assertThat(asked(aggregate, ConsistencyLevel.ONE, 51, ORDINARY)).isNull();
          assertThat(asked(single, ConsistencyLevel.ONE, 50, ORDINARY).planned()).isTrue();
          assertThat(asked(single, ConsistencyLevel.ONE, -1, ORDINARY).planned())
              .as("without pages")
              .isTrue();
          assertThat(asked(single, ConsistencyLevel.ONE, 51, state.getClientState()).planned())
              .as("of a client without guardrails")
              .isTrue();
        });
    assertThat(asked(single, ConsistencyLevel.ONE, 51, ORDINARY).planned()).isTrue();
  }

  @Test
  void aReadAtADisallowedLevelIsLeftToStock() {
    TestGuardrails.levels(
        Set.of("ONE", "ALL"),
        () -> {
          assertThat(asked(single, ConsistencyLevel.ONE, 50, ORDINARY)).isNull();
          assertThat(asked(single, ConsistencyLevel.ALL, 50, ORDINARY)).isNull();
          assertThat(asked(single, ConsistencyLevel.QUORUM, 50, ORDINARY).planned()).isTrue();
          assertThat(asked(single, ConsistencyLevel.ONE, 50, state.getClientState()).planned())
              .as("of a client without guardrails")
              .isTrue();
        });
    assertThat(asked(single, ConsistencyLevel.ONE, 50, ORDINARY).planned()).isTrue();
  }

  /** While all is calm too, when only the paging of multigets is removed. */
  @Test
  void aMultigetAtADisallowedLevelKeepsItsPaging() {
    Executed multiget = new Executed("SELECT * FROM ks.plain WHERE k IN (1, 2, 3)", null);
    QueryOptions options = options(ConsistencyLevel.ONE, 50);
    assertThat(counted(multiget, options, ORDINARY).unpaged()).isTrue();
    TestGuardrails.levels(
        Set.of("ONE"),
        () -> assertThat(counted(multiget, options, ORDINARY)).as("left to stock").isNull());
  }

  /** Cassandra does so by itself, and on a cold cache each time is a read of the roles' table. */
  @Test
  void aClientsRoleIsNotLookedUpForGuardrailsThatAreOff() {
    // Not yet logged in.
    ClientState[] made = new ClientState[1];
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", 9);
    TestGuardrails.roleChecks(() -> made[0] = ClientState.forExternalCalls(address));
    ClientState client = made[0];
    Executed multiget = new Executed("SELECT * FROM ks.plain WHERE k IN ?", null);
    QueryOptions options = TestSchema.options(50, TestSchema.list(1, 3));
    for (boolean plans : new boolean[] {false, true}) {
      int checks =
          TestGuardrails.roleChecks(
              () ->
                  assertThat(
                          plans
                              ? Asked.keyed(engine, multiget, options, client, true)
                              : counted(multiget, options, client))
                      .matches(Asked::unpaged));
      assertThat(checks).as("planned: %s", plans).isZero();
    }
    Guardrails.instance.setPageSizeThreshold(60, -1);
    try {
      int checks =
          TestGuardrails.roleChecks(() -> assertThat(counted(multiget, options, client)).isNull());
      assertThat(checks).as("of a client that a guardrail applies to").isEqualTo(1);
    } finally {
      Guardrails.instance.setPageSizeThreshold(-1, -1);
    }
  }

  /** Cassandra accepts ANY for writes only. */
  @Test
  void aReadAtAnyIsLeftToStock() {
    assertThat(asked(single, ConsistencyLevel.ANY, 50, ORDINARY)).isNull();
  }
}
