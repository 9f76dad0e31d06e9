/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.TestSelect;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.junit.jupiter.api.BeforeAll;

/** Sends statements to the handler and records those that reach Cassandra; there is no ring. */
abstract class SentStatements {
  static final long KEYS = 1_000;
  private static final long BYTES = 64 << 20;
  // As on a node that has run for some time; the tests' clocks do not advance.
  static final Sample USUAL = new Sample(0, 0);

  final InFlight inFlight = new InFlight(KEYS, BYTES);
  final List<QueryOptions> reached = new ArrayList<>();
  final List<Boolean> home = new ArrayList<>();
  final List<Boolean> together = new ArrayList<>();
  final List<Long> keysThen = new ArrayList<>();
  final List<Long> bytesThen = new ArrayList<>();
  QueryState state = new QueryState(ClientState.forInternalCalls());

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  static Engine calm(String strategy) {
    return TestEngines.calm(strategy, () -> 7);
  }

  static Engine busy(String strategy) {
    return TestEngines.of(strategy, () -> 7);
  }

  void send(Engine engine, String cql, int pageSize, ByteBuffer... values) {
    send(engine, new Executed(cql, null), pageSize, values);
  }

  void send(Engine engine, SelectStatement select, int pageSize, ByteBuffer... values) {
    send(engine, QueryProcessor.instance, select, pageSize, values);
  }

  void send(
      Engine engine,
      QueryHandler next,
      SelectStatement select,
      int pageSize,
      ByteBuffer... values) {
    new PlanningHandler(() -> engine, () -> next, inFlight, table -> true, USUAL)
        .processPrepared(select, state, TestSchema.options(pageSize, values), null, null);
  }

  void reached(QueryOptions options) {
    reached.add(options);
    home.add(ThreadPlan.current().staysHome());
    together.add(ThreadPlan.current().sendsTogether());
    keysThen.add(inFlight.keys());
    bytesThen.add(inFlight.bytes());
  }

  /** A statement that records its execution. */
  final class Executed extends TestSelect {
    private final RuntimeException refusal;
    int authorized;

    /**
     * @param refusal thrown when Cassandra checks the client's rights; null if it has them
     */
    Executed(String cql, RuntimeException refusal) {
      super(TestSchema.select(cql));
      this.refusal = refusal;
    }

    @Override
    public void authorize(ClientState client) {
      authorized++;
      if (refusal != null) {
        throw refusal;
      }
    }

    @Override
    public ResultMessage.Rows execute(
        QueryState client, QueryOptions options, Dispatcher.RequestTime requestTime) {
      reached(options);
      return null;
    }
  }

  void reaches(int pageSize, long keys, long bytes) {
    assertThat(reached).hasSize(1);
    assertThat(reached.get(0).getPageSize()).isEqualTo(pageSize);
    assertThat(keysThen).containsExactly(keys);
    assertThat(bytesThen).containsExactly(bytes);
    assertThat(inFlight.keys() + inFlight.bytes()).as("afterwards").isZero();
    reached.clear();
    keysThen.clear();
    bytesThen.clear();
  }
}
