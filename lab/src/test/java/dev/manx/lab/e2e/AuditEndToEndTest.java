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
import dev.manx.local.cluster.Node;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cassandra's audit log and full query log have the same entries for each statement as without
 * Manx.
 */
@SharedNodes
@Timeout(180)
class AuditEndToEndTest {
  private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";
  private static final String TEXT = String.class.getName();
  // Values of calm-after.
  private static final String NEVER_CALM = "0s";
  private static final String SOON_CALM = "1ms";
  private static final String MULTIGET = "SELECT k, v FROM audited.t WHERE k IN ?";
  private static final String WRITTEN = "SELECT v FROM audited.t WHERE k IN (4, 5, 6)";
  private static final String INSERT = "INSERT INTO audited.t (k, v) VALUES (1, 2)";
  private static final String SINGLE = "SELECT v FROM audited.t WHERE k = ?";
  // A key and a page size whose bytes are found by chance nowhere else.
  private static final int RARE_KEY = 0x7a6b5c4d;
  private static final int RARE_PAGE = 0x5e4d3c2b;
  // Most of the log's file is empty.
  private static final int CHUNK = 1 << 16;

  @TempDir Path folder;

  private ThreeNodes nodes;
  private PreparedStatement multiget;

  @AfterEach
  void restore() throws Exception {
    nodes.set("mode", "off");
    nodes.set("calm-after", NEVER_CALM);
    invoke("disableAuditLog");
    invoke("stopFullQueryLogger");
  }

  private void prepare(ThreeNodes fixture) {
    nodes = fixture;
    session()
        .execute(
            "CREATE KEYSPACE IF NOT EXISTS audited WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    session().execute("CREATE TABLE IF NOT EXISTS audited.t (k int PRIMARY KEY, v int)");
    multiget = session().prepare(MULTIGET);
    nodes.set("document", "strategy: manx");
  }

  @Test
  void theAuditLogIsThatOfStock(ThreeNodes fixture) throws Exception {
    prepare(fixture);
    List<String> stock = logged("off", NEVER_CALM);
    // The two that are refused name no keyspace, and a batch of two is two lines.
    assertThat(stock).hasSize(statements().size() - 1);
    for (String calmAfter : List.of(NEVER_CALM, SOON_CALM)) {
      List<String> manx = logged("on", calmAfter);
      assertThat(manx).as("calm-after %s", calmAfter).isEqualTo(stock);
    }
  }

  @Test
  void theFullQueryLogIsThatOfStock(ThreeNodes fixture) throws Exception {
    prepare(fixture);
    Map<String, Integer> stock = queries("off", NEVER_CALM);
    assertThat(stock).allSatisfy((what, times) -> assertThat(times).as(what).isPositive());
    for (String calmAfter : List.of(NEVER_CALM, SOON_CALM)) {
      assertThat(queries("on", calmAfter)).as("calm-after %s", calmAfter).isEqualTo(stock);
    }
  }

  /** How often the full query log has each statement's text, a bound key and a page size. */
  private Map<String, Integer> queries(String mode, String calmAfter) throws Exception {
    use(mode, calmAfter);
    Path log = Files.createTempDirectory(folder, mode + calmAfter);
    invoke(
        "enableFullQueryLogger",
        TEXT,
        log.toString(),
        TEXT,
        "HOURLY",
        Boolean.class,
        true,
        int.class,
        1 << 20,
        long.class,
        1L << 30,
        TEXT,
        null,
        int.class,
        1);
    send();
    // Entries not yet written when the log is stopped are lost.
    Waiting.until("the last statement is in the log", () -> text(log).contains("'the end'"));
    invoke("stopFullQueryLogger");
    String text = text(log);
    Map<String, Integer> found = new TreeMap<>();
    for (String query : List.of(MULTIGET, WRITTEN, SINGLE, INSERT)) {
      found.put(query, times(text, query));
    }
    found.put("key", times(text, bytes(RARE_KEY)));
    found.put("page size", times(text, bytes(RARE_PAGE)));
    return found;
  }

  private static String bytes(int number) {
    return new String(
        ByteBuffer.allocate(Integer.BYTES).putInt(number).array(), StandardCharsets.ISO_8859_1);
  }

  private static int times(String text, String part) {
    int times = 0;
    for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
      times++;
    }
    return times;
  }

  /** The parts of a log's files that were written. */
  private static String text(Path log) {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.list(log)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".cq4")).toList()) {
        try (InputStream in = Files.newInputStream(file)) {
          for (byte[] chunk = in.readNBytes(CHUNK);
              chunk.length > 0;
              chunk = in.readNBytes(CHUNK)) {
            if (!Arrays.equals(chunk, new byte[chunk.length])) {
              text.append(new String(chunk, StandardCharsets.ISO_8859_1));
            }
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return text.toString();
  }

  private void use(String mode, String calmAfter) {
    nodes.set("calm-after", calmAfter);
    nodes.set("mode", mode);
    if (mode.equals("on") && calmAfter.equals(SOON_CALM)) {
      Waiting.until(
          "requests are left to stock",
          () -> nodes.table(0, "manx.strategy", "value").get("queues").startsWith("none"));
    }
  }

  private List<String> logged(String mode, String calmAfter) throws Exception {
    use(mode, calmAfter);
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
    send();
    invoke("disableAuditLog");
    Waiting.until(
        "the last statement is in the log",
        () -> audited().stream().skip(before).anyMatch(line -> line.contains("'the end'")));
    return audited().stream().skip(before).toList();
  }

  private void send() {
    for (Statement<?> statement : statements()) {
      try {
        session().execute(setNode(statement));
      } catch (DriverException e) {
        // Cassandra also audits refused statements.
      }
    }
  }

  private List<Statement<?>> statements() {
    SimpleStatement insert = SimpleStatement.newInstance(INSERT);
    return List.of(
        insert,
        multiget.bind(List.of(1, 2, 3)),
        multiget.bind(List.of(1, 2, 3)).setPageSize(2),
        multiget.bind(List.of(RARE_KEY, 2, 3)).setPageSize(RARE_PAGE),
        multiget.bind(List.of()),
        SimpleStatement.newInstance(WRITTEN),
        SimpleStatement.newInstance(SINGLE, 7),
        SimpleStatement.newInstance("SELECT v FROM audited.t WHERE k IN ? LIMIT ?", List.of(1), -1),
        SimpleStatement.newInstance("SELECT nothing FROM audited.t WHERE k = 1"),
        SimpleStatement.newInstance("UPDATE audited.t SET v = 3 WHERE k = 1 IF v = 2"),
        BatchStatement.newInstance(BatchType.LOGGED, insert, insert),
        SimpleStatement.newInstance("SELECT v AS \"'the end'\" FROM audited.t WHERE k = 1"));
  }

  private Statement<?> setNode(Statement<?> statement) {
    return statement.setNode(nodes.admin().nodes().get(0));
  }

  /** The audit log's entries of node 0, without time and connection. */
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
