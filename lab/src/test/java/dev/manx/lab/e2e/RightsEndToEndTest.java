/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A client may read what it may read without Manx, and Cassandra looks up its permissions as often:
 * on a node with an authorizer, which does not keep permissions in memory, and with Cassandra's own
 * query handler behind Manx's. {@code MANX_FULL} makes it send as many single reads in each mode as
 * while all is calm.
 */
@OwnNodes
@Timeout(300)
class RightsEndToEndTest {
  // Some of them are followed while all is calm: at least one in 64 of each thread.
  private static final int CALM_SINGLES = 200;
  private static final int SINGLES = "1".equals(System.getenv("MANX_FULL")) ? CALM_SINGLES : 20;
  // Values of calm-after.
  private static final String NEVER_CALM = "0s";
  private static final String SOON_CALM = "1ms";
  private static final String LOOKED_UP = "permissions looked up: ";
  private static final String PERMISSIONS =
      "org.apache.cassandra.metrics:type=Table,keyspace=system_auth,scope=role_permissions,"
          + "name=ReadLatency";
  private static final String MULTIGET = "SELECT k, v FROM r.t WHERE k IN ?";
  private static final String SINGLE = "SELECT k, v FROM r.t WHERE k = ?";

  private static OneNode node;
  private static long lookUpsUnderStock;
  private static CqlSession superuser;

  @BeforeAll
  static void boot() {
    node =
        OneNode.boot(
            true,
            List.of(),
            Map.of(
                "authenticator", "PasswordAuthenticator",
                "authorizer", "CassandraAuthorizer",
                "permissions_validity", "0ms"),
            List.of("-Dcassandra.superuser_setup_delay_ms=0"));
    superuser = OneNode.session("cassandra", "cassandra");
    for (String keyspace : List.of("r", "other")) {
      superuser.execute(
          "CREATE KEYSPACE %s WITH replication = {'class': 'SimpleStrategy',".formatted(keyspace)
              + " 'replication_factor': 1}");
    }
    superuser.execute("CREATE TABLE other.t (k int PRIMARY KEY, v int)");
    superuser.execute("INSERT INTO other.t (k, v) VALUES (1, 1000)");
    superuser.execute("CREATE ROLE reader WITH PASSWORD = 'x' AND LOGIN = true");
    OneNode.set(superuser, "document", "strategy: manx");
  }

  @AfterAll
  static void stop() {
    if (superuser != null) {
      superuser.close();
    }
    if (node != null) {
      node.close();
    }
  }

  @Test
  void aClientMayReadWhatItMayReadWithoutManx() throws Exception {
    List<String> stock = everything("off", NEVER_CALM);
    assertThat(stock).filteredOn(line -> line.startsWith("error")).isNotEmpty();
    for (String mode : List.of("shadow", "on")) {
      for (String calmAfter : List.of(NEVER_CALM, SOON_CALM)) {
        assertThat(everything(mode, calmAfter))
            .as("%s, calm-after %s", mode, calmAfter)
            .isEqualTo(stock);
      }
    }
    assertThat(counters()).containsEntry("faults", "0").containsEntry("requests_malformed", "0");
  }

  /** A role's view of a table while it gains and loses the right to read it. */
  private List<String> everything(String mode, String calmAfter) throws Exception {
    table();
    OneNode.set(superuser, "calm-after", calmAfter);
    OneNode.set(superuser, "mode", mode);
    if (!mode.equals("off") && calmAfter.equals(SOON_CALM)) {
      Waiting.until(
          "requests are left to stock",
          () -> OneNode.table(superuser, "strategy").get("queues").startsWith("none"));
    }
    List<String> seen = new ArrayList<>();
    try (CqlSession reader = OneNode.session("reader", "x")) {
      int singles = calmAfter.equals(SOON_CALM) ? CALM_SINGLES : SINGLES;
      Reads reads = reads(reader, singles);
      seen.addAll(refused(reader, reads));

      superuser.execute("GRANT SELECT ON TABLE r.t TO reader");
      Map<String, String> before = counters();
      seen.addAll(answers(reader, reads));
      if (mode.equals("off")) {
        PreparedStatement single = reader.prepare(SINGLE);
        long lookUps = lookUps();
        answer(reader, single.bind(6));
        lookUpsUnderStock = lookUps() - lookUps;
      } else {
        assertThat(rise(before, "multigets_unpaged")).isPositive();
        if (calmAfter.equals(SOON_CALM)) {
          assertThat(rise(before, "requests_calm")).isPositive();
          followed(reader);
        } else {
          assertThat(rise(before, "requests_planned")).isPositive();
        }
      }
      superuser.execute("REVOKE SELECT ON TABLE r.t FROM reader");
      seen.addAll(refused(reader, reads));

      superuser.execute("GRANT SELECT ON TABLE r.t TO reader");
      // The grant is dropped with the table.
      table();
      seen.addAll(refused(reader, reads));
      superuser.execute("GRANT SELECT ON TABLE r.t TO reader");
      seen.addAll(answers(reader, reads));
      seen.addAll(inAnotherKeyspace(reader));
    }
    OneNode.set(superuser, "mode", "off");
    return seen;
  }

  private static void table() {
    superuser.execute("DROP TABLE IF EXISTS r.t");
    superuser.execute("CREATE TABLE r.t (k int PRIMARY KEY, v int)");
    for (int k = 0; k < 10; k++) {
      superuser.execute("INSERT INTO r.t (k, v) VALUES (?, ?)", k, -k);
    }
  }

  /**
   * The reads of a client.
   *
   * @param different one of each kind
   * @param single a read of one key
   * @param singles how often it is sent
   */
  private record Reads(List<Statement<?>> different, Statement<?> single, int singles) {}

  /** Prepared and simple, of one key and of several, with pages and without. */
  private static Reads reads(CqlSession reader, int singles) {
    DriverExecutionProfile unpaged =
        reader
            .getContext()
            .getConfig()
            .getDefaultProfile()
            .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, 0);
    PreparedStatement multiget = reader.prepare(MULTIGET);
    PreparedStatement single = reader.prepare(SINGLE);
    List<Statement<?>> reads = new ArrayList<>();
    for (Statement<?> each :
        List.of(
            multiget.bind(List.of(1, 2, 3)),
            SimpleStatement.newInstance(MULTIGET, List.of(4, 5, 6)),
            SimpleStatement.newInstance("SELECT k, v FROM r.t WHERE k IN (7, 8, 9)"),
            single.bind(4),
            SimpleStatement.newInstance(SINGLE, 5))) {
      reads.add(each);
      reads.add(each.setPageSize(2));
      reads.add(each.setExecutionProfile(unpaged));
    }
    return new Reads(reads, single.bind(6), singles);
  }

  private List<String> refused(CqlSession reader, Reads reads) throws Exception {
    Map<String, String> before = counters();
    List<String> answers = answers(reader, reads);
    assertThat(answers)
        .filteredOn(line -> !line.startsWith(LOOKED_UP))
        .hasSize(reads.different.size() + 1)
        .allMatch(line -> line.startsWith("error"));
    for (String counter :
        List.of("requests_planned", "requests_not_planned", "multigets_unpaged")) {
      assertThat(rise(before, counter)).as(counter).isZero();
    }
    return answers;
  }

  /** Sends single reads until one of them was followed though all is calm. */
  private static void followed(CqlSession reader) {
    PreparedStatement single = reader.prepare(SINGLE);
    Map<String, String> before = counters();
    Waiting.until(
        "a single read is followed",
        () -> {
          try {
            long lookUps = lookUps();
            for (int i = 0; i < CALM_SINGLES; i++) {
              assertThat(answer(reader, single.bind(6))).startsWith("rows");
            }
            assertThat(lookUps() - lookUps).isEqualTo(CALM_SINGLES * lookUpsUnderStock);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
          return rise(before, "requests_planned") + rise(before, "requests_not_planned") > 0;
        });
  }

  /** The client's result, and the number of look-ups of its permissions. */
  private List<String> answers(CqlSession reader, Reads reads) throws Exception {
    long before = lookUps();
    List<String> answers = new ArrayList<>();
    reads.different.forEach(read -> answers.add(answer(reader, read)));
    long lookUps = lookUps() - before;
    assertThat(lookUps).as(LOOKED_UP).isGreaterThanOrEqualTo(reads.different.size());
    answers.add(LOOKED_UP + lookUps);

    before = lookUps();
    Set<String> alike = new TreeSet<>();
    for (int i = 0; i < reads.singles; i++) {
      alike.add(answer(reader, reads.single));
    }
    // Each of them is answered alike, and looked up as often.
    answers.addAll(alike);
    lookUps = lookUps() - before;
    assertThat(lookUps).as(LOOKED_UP).isGreaterThanOrEqualTo(reads.singles);
    assertThat(lookUps % reads.singles).as(LOOKED_UP + lookUps).isZero();
    answers.add(LOOKED_UP + lookUps / reads.singles + " each");
    return answers;
  }

  private static String answer(CqlSession reader, Statement<?> read) {
    try {
      ResultSet result = reader.execute(read);
      StringBuilder rows = new StringBuilder("rows");
      for (Row row : result) {
        rows.append(' ').append(Answers.text(row));
      }
      return rows.toString();
    } catch (DriverException e) {
      return "error " + e.getClass().getSimpleName() + ": " + e.getMessage();
    }
  }

  /** A prepared statement goes on reading the keyspace that it was prepared in. */
  private static List<String> inAnotherKeyspace(CqlSession reader) {
    reader.execute("USE r");
    String unqualified = "SELECT k, v FROM t WHERE k IN ?";
    PreparedStatement prepared = reader.prepare(unqualified);
    List<String> seen = new ArrayList<>();
    for (String keyspace : List.of("r", "other", "r")) {
      reader.execute("USE " + keyspace);
      seen.add(answer(reader, prepared.bind(List.of(1, 2))));
      seen.add(answer(reader, SimpleStatement.newInstance(unqualified, List.of(1, 2))));
      seen.add(answer(reader, SimpleStatement.newInstance("SELECT v FROM t WHERE k = 1")));
    }
    return seen;
  }

  private static long lookUps() throws Exception {
    return node.jmx(
        server -> ((Number) server.getAttribute(new ObjectName(PERMISSIONS), "Count")).longValue());
  }

  private static Map<String, String> counters() {
    return OneNode.table(superuser, "counters");
  }

  private static long rise(Map<String, String> before, String counter) {
    return Long.parseLong(counters().get(counter)) - Long.parseLong(before.get(counter));
  }
}
