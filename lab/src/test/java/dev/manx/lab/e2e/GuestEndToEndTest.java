/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.Attribute;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Manx together with permissions, guardrails, snitches and query handlers of a node. */
@OwnNodes
@Timeout(300)
class GuestEndToEndTest extends OnGuestNode {
  @Test
  void aLocalReadThatFailsByTheQuerysFaultIsNotHeldAgainstTheNode() {
    superuser.execute("CREATE TABLE g.wide (k int, c int, v text, PRIMARY KEY (k, c))");
    for (int c = 0; c < 40; c++) {
      superuser.execute("DELETE FROM g.wide WHERE k = 1 AND c = ?", c);
      superuser.execute("INSERT INTO g.wide (k, c, v) VALUES (2, ?, ?)", c, "v".repeat(4_000));
    }
    // A selector that is notified of every local read; select.low only of a sample.
    OneNode.set(superuser, "document", GOOD.replace("select.low", "select.lor"));
    OneNode.set(superuser, "mode", "on");
    long excused = counter("failures_excused");
    long penalised = counter("failures_penalised");
    int each = 60;
    for (int k : new int[] {1, 2}) {
      Statement<?> failing =
          SimpleStatement.newInstance("SELECT * FROM g.wide WHERE k = ?", k).setIdempotent(false);
      for (int i = 0; i < each; i++) {
        assertThatThrownBy(() -> superuser.execute(failing))
            .isInstanceOf(ReadFailureException.class);
      }
    }
    // A read that this node serves itself is counted after its client has the answer.
    Waiting.until("all are counted", () -> counter("failures_excused") - excused >= 2 * each);
    assertThat(counter("failures_excused") - excused).isEqualTo(2 * each);
    assertThat(counter("failures_penalised")).isEqualTo(penalised);
  }

  @Test
  void onlySuperusersAndRolesWithAGrantOnTheTableItselfMaySwitch() {
    for (String role : List.of("app", "operator")) {
      superuser.execute(
          "CREATE ROLE IF NOT EXISTS " + role + " WITH PASSWORD = 'x' AND LOGIN = true");
      superuser.execute("GRANT SELECT ON ALL KEYSPACES TO " + role);
      superuser.execute("GRANT MODIFY ON ALL KEYSPACES TO " + role);
    }
    superuser.execute("CREATE ROLE IF NOT EXISTS operators");
    superuser.execute("GRANT MODIFY ON TABLE manx.strategy TO operators");
    superuser.execute("GRANT operators TO operator");
    assertThatThrownBy(() -> superuser.execute("GRANT MODIFY ON KEYSPACE manx TO operators"))
        .isInstanceOf(InvalidQueryException.class);
    SimpleStatement update =
        SimpleStatement.newInstance("UPDATE manx.strategy SET value = 'on' WHERE name = 'mode'");
    try (CqlSession app = session("app", "x")) {
      app.execute("INSERT INTO g.t (k, v) VALUES (1000, 1)");
      for (String mode : List.of("off", "shadow")) {
        OneNode.set(superuser, "mode", mode);
        assertThatThrownBy(() -> app.execute(update))
            .isInstanceOf(UnauthorizedException.class)
            .hasMessageContaining("GRANT MODIFY ON TABLE manx.strategy TO app");
        assertThatThrownBy(() -> OneNode.set(app, "document", GOOD))
            .isInstanceOf(UnauthorizedException.class);
        var prepared =
            app.prepare("UPDATE manx.strategy SET value = ? WHERE name = ?").bind("on", "mode");
        assertThatThrownBy(() -> app.execute(prepared)).isInstanceOf(UnauthorizedException.class);
        assertThatThrownBy(
                () -> app.execute(BatchStatement.newInstance(BatchType.UNLOGGED, update)))
            .isInstanceOf(UnauthorizedException.class);
        assertThat(OneNode.table(app, "strategy")).containsEntry("mode", mode);
      }
    }
    try (CqlSession operator = session("operator", "x")) {
      operator.execute(update);
      assertThat(OneNode.table(operator, "strategy")).containsEntry("mode", "on");
    }
  }

  @Test
  void aStrategyThatTheHeapCannotHoldIsRefusedBeforeItIsMade() {
    String large =
        "strategy: { select: select.popularity-aware, oracles: { popularity: {"
            + " policy: oracle.popularity-space-saving, memory: 512MiB } } }";
    OneNode.set(superuser, "document", GOOD);
    for (String document : List.of(large, large.replace("512MiB", "100MiB"))) {
      assertThatThrownBy(() -> OneNode.set(superuser, "document", document))
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("manx.strategy: strategy.oracles.popularity.memory = '")
          .hasMessageContaining("an eighth of this node's heap");
    }
    assertThat(OneNode.table(superuser, "strategy")).containsEntry("policy.select", "select.low");
    node.cluster.checkAlive();
  }

  @Test
  void onlyWritesThatWereAllowedAndSurelyAppliedTeachTheOracle() {
    superuser.execute("CREATE ROLE IF NOT EXISTS reader WITH PASSWORD = 'x' AND LOGIN = true");
    superuser.execute("GRANT SELECT ON KEYSPACE g TO reader");
    OneNode.set(
        superuser,
        "document",
        "strategy: { oracles: { size: { policy: oracle.size-bloom, large-above: 1B } } }");
    OneNode.set(superuser, "mode", "on");
    String insert = "INSERT INTO g.t (k, v) VALUES (?, ?)";
    long before = counter("sizes_learned_from_writes");
    try (CqlSession reader = session("reader", "x")) {
      for (int i = 0; i < 20; i++) {
        assertThatThrownBy(() -> reader.execute(insert, 1, 1))
            .isInstanceOf(UnauthorizedException.class);
      }
    }
    superuser.execute(insert + " IF NOT EXISTS", 1, 1);
    assertThat(counter("sizes_learned_from_writes")).isEqualTo(before);
    superuser.execute(insert, 1, -1);
    assertThat(counter("sizes_learned_from_writes")).isEqualTo(before + 1);
  }

  @Test
  void requestsThatAGuardrailRejectsAreNotCounted() throws Exception {
    superuser.execute("CREATE ROLE IF NOT EXISTS reader WITH PASSWORD = 'x' AND LOGIN = true");
    superuser.execute("GRANT SELECT ON KEYSPACE g TO reader");
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", "on");
    guardPartitionKeys(-1, 4);
    try (CqlSession reader = session("reader", "x")) {
      long planned = counter("requests_planned");
      long unpaged = counter("multigets_unpaged");
      assertThatThrownBy(() -> reader.execute("SELECT v FROM g.t WHERE k IN (1, 2, 3, 4, 5)"))
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("Guardrail");
      assertThat(counter("requests_planned")).isEqualTo(planned);
      assertThat(counter("multigets_unpaged")).isEqualTo(unpaged);
      assertThat(reader.execute("SELECT v FROM g.t WHERE k IN (1, 2, 3)").all()).hasSize(3);
      assertThat(counter("requests_planned")).isEqualTo(planned + 1);
      assertThat(counter("multigets_unpaged")).isEqualTo(unpaged + 1);
    } finally {
      guardPartitionKeys(-1, -1);
    }
  }

  @Test
  void readsWhosePagesOrLevelAreRejectedAreNotCounted() throws Exception {
    superuser.execute("CREATE ROLE IF NOT EXISTS reader WITH PASSWORD = 'x' AND LOGIN = true");
    superuser.execute("GRANT SELECT ON KEYSPACE g TO reader");
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", "on");
    SimpleStatement read = SimpleStatement.newInstance("SELECT v FROM g.t WHERE k = 1");
    try (CqlSession reader = session("reader", "x")) {
      guard("setPageSizeThreshold", -1, 10);
      disallowReads(Set.of("QUORUM"));
      long planned = counter("requests_planned");
      for (SimpleStatement rejected :
          List.of(
              read.setPageSize(11),
              read.setPageSize(10).setConsistencyLevel(DefaultConsistencyLevel.QUORUM),
              read.setPageSize(10).setConsistencyLevel(DefaultConsistencyLevel.ANY))) {
        assertThatThrownBy(() -> reader.execute(rejected))
            .isInstanceOf(InvalidQueryException.class);
      }
      assertThat(counter("requests_planned")).isEqualTo(planned);
      reader.execute(read.setPageSize(10));
      assertThat(counter("requests_planned")).isEqualTo(planned + 1);
    } finally {
      disallowReads(Set.of());
      guard("setPageSizeThreshold", -1, -1);
    }
  }

  private static void disallowReads(Set<String> levels) throws Exception {
    node.<Object>jmx(
        server -> {
          server.setAttribute(
              new ObjectName("org.apache.cassandra.db:type=Guardrails"),
              new Attribute("ReadConsistencyLevelsDisallowed", levels));
          return null;
        });
  }

  /** Cassandra asks the guardrail only about lists; a single key is no product. */
  @Test
  void aGuardrailOnProductsLeavesSingleKeysAndListsToManx() throws Exception {
    superuser.execute("CREATE TABLE g.pair (a int, b int, v int, PRIMARY KEY ((a, b)))");
    superuser.execute("CREATE ROLE IF NOT EXISTS reader WITH PASSWORD = 'x' AND LOGIN = true");
    superuser.execute("GRANT SELECT ON KEYSPACE g TO reader");
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", "on");
    guard("setInSelectCartesianProductThreshold", 25, -1);
    try (CqlSession reader = session("reader", "x")) {
      long planned = counter("requests_planned");
      long unpaged = counter("multigets_unpaged");
      reader.execute("SELECT v FROM g.pair WHERE a = 1 AND b = 2");
      assertThat(counter("requests_planned")).isEqualTo(planned + 1);
      reader.execute("SELECT v FROM g.pair WHERE a = 1 AND b IN (1, 2, 3)");
      assertThat(counter("requests_planned")).isEqualTo(planned + 2);
      assertThat(counter("multigets_unpaged")).isEqualTo(unpaged + 1);
      reader.execute("SELECT v FROM g.pair WHERE a IN (1, 2) AND b IN (1, 2)");
      assertThat(counter("requests_planned")).as("a product").isEqualTo(planned + 2);
      assertThat(counter("multigets_unpaged")).isEqualTo(unpaged + 1);
    } finally {
      guard("setInSelectCartesianProductThreshold", -1, -1);
    }
  }

  @Test
  void aGuardrailWarnsOnce() throws Exception {
    superuser.execute("CREATE ROLE IF NOT EXISTS reader WITH PASSWORD = 'x' AND LOGIN = true");
    superuser.execute("GRANT SELECT ON KEYSPACE g TO reader");
    OneNode.set(superuser, "document", GOOD);
    guardPartitionKeys(2, 4);
    try (CqlSession reader = session("reader", "x")) {
      List<List<String>> warnings = new ArrayList<>();
      long planned = counter("requests_planned");
      for (String mode : List.of("off", "shadow", "on")) {
        OneNode.set(superuser, "mode", mode);
        warnings.add(
            reader
                .execute("SELECT v FROM g.t WHERE k IN (1, 2, 3)")
                .getExecutionInfo()
                .getWarnings());
      }
      assertThat(counter("requests_planned")).isEqualTo(planned + 2);
      assertThat(warnings.get(0)).hasSize(1).allMatch(text -> text.contains("Guardrail"));
      assertThat(warnings).containsOnly(warnings.get(0));
    } finally {
      guardPartitionKeys(-1, -1);
    }
  }

  private static void guardPartitionKeys(int warn, int most) throws Exception {
    guard("setPartitionKeysInSelectThreshold", warn, most);
  }

  private static void guard(String setter, int warn, int most) throws Exception {
    node.<Object>jmx(
        server ->
            server.invoke(
                new ObjectName("org.apache.cassandra.db:type=Guardrails"),
                setter,
                new Object[] {warn, most},
                new String[] {"int", "int"}));
  }

  @Test
  void snitchSettingsOverJmxWorkWithManxOn() throws Exception {
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", "on");
    assertThat(OneNode.table(superuser, "hooks")).containsEntry("snitch", "installed");
    ObjectName storage = new ObjectName("org.apache.cassandra.db:type=StorageService");
    // Takes effect only if the snitch in use is of the dynamic snitch's class.
    setUpdateInterval(321);
    assertThat(updateInterval()).isEqualTo(321);
    node.<Object>jmx(
        server ->
            server.invoke(
                storage,
                "updateSnitch",
                new Object[] {"SimpleSnitch", true, 123, null, null},
                new String[] {
                  String.class.getName(),
                  Boolean.class.getName(),
                  Integer.class.getName(),
                  Integer.class.getName(),
                  Double.class.getName()
                }));
    Waiting.until(
        "Manx stands in front of the new one", () -> snitchName().startsWith("dev.manx."));
    assertThat(updateInterval()).isEqualTo(123);
    setUpdateInterval(77);
    assertThat(updateInterval()).isEqualTo(77);
    // A logged batch, whose batchlog nodes are chosen by the dynamic snitch's scores.
    superuser.execute(
        BatchStatement.newInstance(
            BatchType.LOGGED,
            SimpleStatement.newInstance("INSERT INTO g.t (k, v) VALUES (2001, 1)"),
            SimpleStatement.newInstance("INSERT INTO g.t (k, v) VALUES (2002, 2)")));
    assertThat(read(2001, 2002)).isEqualTo(2);
    OneNode.set(superuser, "mode", "off");
    setUpdateInterval(100);
    assertThat(updateInterval()).isEqualTo(100);
  }

  private static String snitchName() {
    try {
      return node.snitch();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static int updateInterval() throws Exception {
    ObjectName dynamic = new ObjectName("org.apache.cassandra.db:type=DynamicEndpointSnitch");
    return node.<Integer>jmx(server -> (Integer) server.getAttribute(dynamic, "UpdateInterval"));
  }

  private static void setUpdateInterval(int millis) throws Exception {
    ObjectName storage = new ObjectName("org.apache.cassandra.db:type=StorageService");
    node.<Object>jmx(
        server -> {
          server.setAttribute(storage, new Attribute("DynamicUpdateInterval", millis));
          return null;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "shadow", "on"})
  void statementsReachTheHandlerBehindManx(String mode) {
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", mode);
    Map<String, ByteBuffer> payload = Map.of("sent", ByteBuffer.wrap(new byte[] {4, 2}));
    var prepared = superuser.prepare("SELECT v FROM g.t WHERE k = ?").bind(7);
    SimpleStatement simple = SimpleStatement.newInstance("SELECT v FROM g.t WHERE k IN (7, 8)");
    BatchStatement batch =
        BatchStatement.newInstance(
            BatchType.UNLOGGED,
            SimpleStatement.newInstance("INSERT INTO g.t (k, v) VALUES (3000, 1)"));
    List<Statement<?>> statements =
        List.of(
            prepared.setCustomPayload(payload),
            simple.setCustomPayload(payload),
            batch.setCustomPayload(payload));
    for (Statement<?> statement : statements) {
      assertThat(superuser.execute(statement).getExecutionInfo().getIncomingPayload())
          .as(statement.getClass().getSimpleName())
          .containsEntry("sent", payload.get("sent"));
    }
  }

  @Test
  void theVersionIsShown() {
    assertThat(status("version")).matches("\\d+\\.\\d+\\.\\d+.*");
  }
}
