/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import dev.manx.lab.cluster.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cassandra's audit log has of each statement what it has without Manx. */
@SharedNodes
@Timeout(180)
class AuditEndToEndTest {
  private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";
  private static final String TEXT = String.class.getName();
  private static final String MULTIGET = "SELECT k, v FROM audited.t WHERE k IN ?";

  private ThreeNodes nodes;
  private PreparedStatement multiget;

  @AfterEach
  void restore() throws Exception {
    nodes.set("mode", "off");
    nodes.set("calm-after", "0s");
    invoke("disableAuditLog");
  }

  @Test
  void theAuditLogIsThatOfStock(ThreeNodes fixture) throws Exception {
    nodes = fixture;
    session()
        .execute(
            "CREATE KEYSPACE IF NOT EXISTS audited WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    session().execute("CREATE TABLE IF NOT EXISTS audited.t (k int PRIMARY KEY, v int)");
    multiget = session().prepare(MULTIGET);
    nodes.set("document", "strategy: manx");
    List<String> stock = logged("off", "0s");
    // The two that are refused name no keyspace, and a batch of two is two lines.
    assertThat(stock).hasSize(statements().size() - 1);
    for (String calmAfter : List.of("0s", "1h")) {
      List<String> manx = logged("on", calmAfter);
      assertThat(manx).as("calm-after %s", calmAfter).isEqualTo(stock);
    }
  }

  private List<String> logged(String mode, String calmAfter) throws Exception {
    nodes.set("calm-after", calmAfter);
    nodes.set("mode", mode);
    int before = audited().size();
    invoke(
        "enableAuditLog",
        TEXT,
        "FileAuditLogger",
        TEXT,
        "audited",
        TEXT,
        "",
        TEXT,
        "",
        TEXT,
        "",
        TEXT,
        "",
        TEXT,
        "");
    for (Statement<?> statement : statements()) {
      try {
        session().execute(setNode(statement));
      } catch (DriverException e) {
        // What Cassandra refuses it audits too.
      }
    }
    invoke("disableAuditLog");
    Waiting.until(
        "the last statement is in the log",
        () -> audited().stream().skip(before).anyMatch(line -> line.contains("'the end'")));
    return audited().stream().skip(before).toList();
  }

  private List<Statement<?>> statements() {
    SimpleStatement insert =
        SimpleStatement.newInstance("INSERT INTO audited.t (k, v) VALUES (1, 2)");
    return List.of(
        insert,
        multiget.bind(List.of(1, 2, 3)),
        multiget.bind(List.of(1, 2, 3)).setPageSize(2),
        multiget.bind(List.of()),
        SimpleStatement.newInstance("SELECT v FROM audited.t WHERE k IN (4, 5, 6)"),
        SimpleStatement.newInstance("SELECT v FROM audited.t WHERE k = ?", 7),
        SimpleStatement.newInstance("SELECT v FROM audited.t WHERE k IN ? LIMIT ?", List.of(1), -1),
        SimpleStatement.newInstance("SELECT nothing FROM audited.t WHERE k = 1"),
        SimpleStatement.newInstance("UPDATE audited.t SET v = 3 WHERE k = 1 IF v = 2"),
        BatchStatement.newInstance(BatchType.LOGGED, insert, insert),
        SimpleStatement.newInstance("SELECT v AS \"'the end'\" FROM audited.t WHERE k = 1"));
  }

  private Statement<?> setNode(Statement<?> statement) {
    return statement.setNode(nodes.admin().nodes().get(0));
  }

  /** What the audit log of node 0 has of statements, without when and by which connection. */
  private List<String> audited() {
    try (Stream<String> lines = Files.lines(node().systemLog(), StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.contains("|type:") && line.contains("audited"))
          .map(line -> line.substring(line.indexOf("|type:")))
          .map(line -> line.replaceAll("\\|batch:[-0-9a-f]+", "|batch:"))
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private CqlSession session() {
    return nodes.session().driver();
  }

  private Node node() {
    return nodes.cluster().nodes().get(0);
  }

  /** Calls an operation of node 0; of each parameter, its type and the argument. */
  private void invoke(String operation, Object... typed) throws Exception {
    String[] types = new String[typed.length / 2];
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      Object type = typed[2 * i];
      types[i] = type instanceof Class<?> of ? of.getName() : (String) type;
      arguments[i] = typed[2 * i + 1];
    }
    OneNode.<Object>jmx(
        node(), server -> server.invoke(new ObjectName(STORAGE), operation, arguments, types));
  }
}
