/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.management.Attribute;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cassandra's messages to a client about a read in addition to its rows: warnings and traces. */
@SharedNodes
@Timeout(300)
class WarningsEndToEndTest {
  private static final int KEYS = 24;
  private static final int TOMBSTONES = 10;
  private static final int PAGE = 5_000;
  // The rest of the page when a read is sent: warnings quote it for paged reads.
  private static final String LEFT_OF_PAGE = " LIMIT (49\\d\\d|5000)\\b";
  private static final ObjectName STORAGE = name("org.apache.cassandra.db:type=StorageService");
  private static final ObjectName GUARDRAILS = name("org.apache.cassandra.db:type=Guardrails");

  private ThreeNodes nodes;
  private CqlSession session;
  private PreparedStatement slices;
  private PreparedStatement rows;

  private static ObjectName name(String name) {
    try {
      return new ObjectName(name);
    } catch (javax.management.MalformedObjectNameException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @BeforeEach
  void fill(ThreeNodes fixture) throws Exception {
    nodes = fixture;
    session = nodes.session().driver();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS w"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    session.execute(
        "CREATE TABLE IF NOT EXISTS w.t (k int, c int, v text, PRIMARY KEY (k, c))"
            + " WITH speculative_retry = 'NEVER'");
    slices = session.prepare("SELECT k, c, v FROM w.t WHERE k IN ?");
    rows = session.prepare("SELECT k, c, v FROM w.t WHERE k IN ? AND c = 0");
    for (int k = 0; k < KEYS; k++) {
      write("INSERT INTO w.t (k, c, v) VALUES (?, 0, ?)", k, "v".repeat(k % 4 == 0 ? 3_000 : 10));
      for (int c = 1; c <= (k % 3 == 0 ? TOMBSTONES : 1); c++) {
        write("DELETE FROM w.t WHERE k = ? AND c = ?", k, c);
      }
    }
    // Every read now is close to some warning limit of Cassandra.
    limits(5, true, "2KiB", "8KiB", 10);
    nodes.set("document", "strategy: manx");
  }

  private void write(String cql, Object... values) {
    session.execute(
        SimpleStatement.newInstance(cql, values).setConsistencyLevel(DefaultConsistencyLevel.ALL));
  }

  @AfterEach
  void off() throws Exception {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
    limits(1_000, false, null, null, -1);
  }

  private void limits(int tombstones, boolean reads, String local, String coordinator, int keys)
      throws Exception {
    for (var node : nodes.cluster().nodes()) {
      OneNode.<Object>jmx(
          node,
          server -> {
            server.setAttribute(STORAGE, new Attribute("TombstoneWarnThreshold", tombstones));
            server.setAttribute(STORAGE, new Attribute("LocalReadTooLargeWarnThreshold", local));
            server.setAttribute(
                STORAGE, new Attribute("CoordinatorLargeReadWarnThreshold", coordinator));
            server.setAttribute(STORAGE, new Attribute("ReadThresholdsEnabled", reads));
            return server.invoke(
                GUARDRAILS,
                "setPartitionKeysInSelectThreshold",
                new Object[] {keys, -1},
                new String[] {"int", "int"});
          });
    }
  }

  /** A multiget. */
  private record Asked(
      PreparedStatement select, List<Integer> keys, ConsistencyLevel level, int pageSize) {}

  @Test
  void warningsAreThoseOfStock() {
    List<Asked> asked = new ArrayList<>();
    for (PreparedStatement select : List.of(slices, rows)) {
      for (ConsistencyLevel level :
          List.of(
              DefaultConsistencyLevel.ONE,
              DefaultConsistencyLevel.QUORUM,
              DefaultConsistencyLevel.ALL)) {
        for (int page : new int[] {PAGE, Integer.MAX_VALUE}) {
          for (int width : new int[] {2, 6, KEYS}) {
            for (int from : new int[] {0, 1}) {
              List<Integer> keys =
                  IntStream.range(from, Math.min(from + width, KEYS)).boxed().toList();
              asked.add(new Asked(select, keys, level, page));
            }
          }
        }
      }
    }
    nodes.set("mode", "off");
    List<List<String>> stock = asked.stream().map(this::answer).toList();
    nodes.set("mode", "on");
    Acted acted = new Acted(nodes, "multigets that are warned of");
    acted.begin();
    List<List<String>> manx = asked.stream().map(this::answer).toList();
    acted.end();
    for (int i = 0; i < asked.size(); i++) {
      assertThat(manx.get(i)).as(asked.get(i).toString()).isEqualTo(stock.get(i));
    }
    Map<String, Integer> kinds = new TreeMap<>();
    stock.stream()
        .flatMap(List::stream)
        .filter(line -> line.startsWith("warning"))
        .forEach(
            line -> kinds.merge(line.replaceAll("[0-9]+", "N").substring(0, 60), 1, Integer::sum));
    System.out.printf("%d multigets with warnings alike: %s%n", asked.size(), kinds);
    acted.check(List.of("requests_planned", "multigets_unpaged"));
  }

  private List<String> answer(Asked asked) {
    List<String> lines = new ArrayList<>();
    try {
      ResultSet result =
          session.execute(
              asked
                  .select
                  .bind(asked.keys)
                  .setConsistencyLevel(asked.level)
                  .setPageSize(asked.pageSize)
                  .setNode(nodes.admin().nodes().get(0)));
      for (int left = result.getAvailableWithoutFetching(); left > 0; left--) {
        lines.add(Answers.text(result.one()).replaceAll("v{3,}", "v.."));
      }
      result.getExecutionInfo().getWarnings().stream()
          .sorted()
          .forEach(warning -> lines.add("warning " + warning.replaceAll(LEFT_OF_PAGE, "")));
    } catch (DriverException e) {
      lines.add("error " + e.getClass().getSimpleName() + ": " + e.getMessage());
    }
    return lines;
  }

  @Test
  void aTracedMultigetHasTheEventsOfStock() {
    // The same replicas as in stock, so that the same nodes issue messages.
    nodes.set(
        "document",
        "strategy: { select: select.stock, order: order.bottleneck, fanout: fanout.brb-equalmax }");
    int compared = 0;
    for (PreparedStatement select : List.of(slices, rows)) {
      for (DefaultConsistencyLevel level :
          List.of(DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ALL)) {
        for (int page : new int[] {PAGE, Integer.MAX_VALUE}) {
          Asked asked = new Asked(select, IntStream.range(0, 9).boxed().toList(), level, page);
          nodes.set("mode", "off");
          UUID stock = trace(asked);
          nodes.set("mode", "on");
          UUID manx = trace(asked);
          nodes.set("mode", "off");
          // Nodes write their events gradually.
          Waiting.until(
              "the trace by Manx has the events of stock's, " + asked,
              () ->
                  ended(stock)
                      && ended(manx)
                      && !events(stock).isEmpty()
                      && events(manx).equals(events(stock)));
          assertThat(events(manx).keySet())
              .anyMatch(event -> event.contains("READ_REQ message received"))
              .anyMatch(event -> event.startsWith("127.0.0.11 Executing single-partition query"));
          compared++;
        }
      }
    }
    System.out.printf("%d traces with the same events of the same nodes%n", compared);
  }

  private UUID trace(Asked asked) {
    return session
        .execute(
            asked
                .select
                .bind(asked.keys)
                .setConsistencyLevel(asked.level)
                .setTracing(true)
                .setPageSize(asked.pageSize)
                .setNode(nodes.admin().nodes().get(0)))
        .getExecutionInfo()
        .getTracingId();
  }

  /** Number of events by node. */
  private Map<String, Integer> events(UUID trace) {
    Map<String, Integer> kinds = new TreeMap<>();
    for (Row row :
        session.execute(
            SimpleStatement.newInstance(
                    "SELECT source, activity FROM system_traces.events WHERE session_id = ?", trace)
                .setConsistencyLevel(DefaultConsistencyLevel.ALL))) {
      String activity = row.getString("activity").replaceAll("[0-9]+([.:][0-9]+)*", "N");
      kinds.merge(row.getInetAddress("source").getHostAddress() + " " + activity, 1, Integer::sum);
    }
    return kinds;
  }

  private boolean ended(UUID trace) {
    Row row =
        session
            .execute(
                SimpleStatement.newInstance(
                        "SELECT duration FROM system_traces.sessions WHERE session_id = ?", trace)
                    .setConsistencyLevel(DefaultConsistencyLevel.ALL))
            .one();
    return row != null && !row.isNull("duration");
  }
}
