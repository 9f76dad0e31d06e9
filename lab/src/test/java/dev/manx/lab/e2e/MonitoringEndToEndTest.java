/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import dev.manx.lab.docs.Dashboards;
import dev.manx.local.cluster.ClusterException;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * A node with Prometheus' JMX exporter, as the guide installs it: the metrics of the board and the
 * alert rules exist; and a canary that compares.
 */
@OwnNodes
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MonitoringEndToEndTest {
  private static final Path ROOT = ManxHome.find().root();
  private static final List<Integer> WIDTHS = List.of(1, 3, 10, 40, 110);
  private static final int MOST_ROUNDS = 60;
  private static final int ATTEMPTS = 5;
  private static final String STRATEGY =
      """
      strategy:
        select: { policy: select.low }
        order: { policy: order.bottleneck }
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
        oracles: { size: { policy: oracle.size-bloom, large-above: 32KiB } }
        facts: [pending-reads, service-time, work-ahead]
      """;

  private static OneNode node;
  private static CqlSession session;
  private static URI exporter;

  @BeforeAll
  static void boot() throws IOException {
    Path agent = ROOT.resolve("lab/target/jmx-exporter/jmx_prometheus_javaagent.jar");
    assertThat(agent).as("./mvnw -pl lab dependency:copy@jmx-exporter brings it").exists();
    for (int attempt = 1; node == null; attempt++) {
      int port = freePort();
      exporter = URI.create("http://127.0.0.1:" + port + "/metrics");
      String option =
          "-javaagent:%s=127.0.0.1:%d:%s"
              .formatted(agent, port, Dashboards.FOLDER.resolve("jmx-exporter.yaml"));
      try {
        node = OneNode.boot(true, List.of(), Map.of(), List.of(option));
      } catch (ClusterException e) {
        // Another process may have taken the port in the meantime.
        if (attempt == ATTEMPTS || !e.getMessage().contains("JMX Exporter exiting")) {
          throw e;
        }
      }
    }
    session = OneNode.session(null, null);
    session.execute(
        "CREATE KEYSPACE m WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("CREATE TABLE m.t (k int PRIMARY KEY, v int) WITH memtable = 'modelled'");
    session.execute("CREATE TABLE m.other (k int PRIMARY KEY, v int)");
    for (int k = 0; k < 110; k++) {
      session.execute("INSERT INTO m.t (k, v) VALUES (?, ?)", k, k);
    }
    OneNode.set(session, "document", STRATEGY);
    // A slow test still finds Manx active.
    OneNode.set(session, "calm-after", "0s");
    OneNode.set(session, "mode", "on");
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  @AfterAll
  static void stop() {
    if (session != null) {
      session.close();
    }
    if (node != null) {
      node.close();
    }
  }

  private static Scrape scrape() throws IOException, InterruptedException {
    HttpRequest get = HttpRequest.newBuilder(exporter).timeout(Duration.ofSeconds(30)).build();
    return new Scrape(HttpClient.newHttpClient().send(get, BodyHandlers.ofString()).body());
  }

  private static boolean hasAll() {
    try {
      Scrape scrape = scrape();
      return scrape.names().contains("cassandra_manx_tablelatency_seconds")
          && Stream.concat(Dashboards.rules().values().stream(), Dashboards.boardQueries().stream())
              .allMatch(query -> scrape.missing(query).isEmpty());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void read(PreparedStatement multiget, int width) {
    List<Integer> keys = IntStream.range(0, width).boxed().toList();
    assertThat(session.execute(multiget.bind(keys)).all()).hasSize(width);
  }

  private static Map<Integer, Row> latency(String name) {
    return session.execute("SELECT * FROM manx.latency WHERE name = ?", name).all().stream()
        .collect(Collectors.toMap(row -> row.getInt("from_keys"), row -> row));
  }

  private static boolean bothSeen() {
    Map<Integer, Row> rows = latency("all");
    return rows.size() == WIDTHS.size()
        && rows.values().stream()
            .allMatch(row -> row.getLong("acted_count") > 0 && row.getLong("control_count") > 0);
  }

  private static Map<String, Long> counters() {
    return OneNode.table(session, "counters").entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> Long.valueOf(entry.getValue())));
  }

  @Test
  @Order(1)
  void aCanaryActsOnItsPartAndTheRestIsStock() {
    PreparedStatement multiget = session.prepare("SELECT k, v FROM m.t WHERE k IN ?");
    OneNode.set(session, "canary", "{ tables: [m.t], share: 50% }");
    assertThat(OneNode.table(session, "strategy"))
        .containsEntry("canary", "{ keyspaces: [], tables: [m.t], share: 0.5 }");
    Map<String, Long> before = counters();
    for (int round = 0; round < MOST_ROUNDS && !bothSeen(); round++) {
      WIDTHS.forEach(width -> read(multiget, width));
      session.execute("SELECT v FROM m.other WHERE k IN (1, 2, 3)");
    }
    Map<Integer, Row> rows = latency("m.t");
    assertThat(rows).containsOnlyKeys(1, 2, 6, 21, 101);
    long acted = rows.values().stream().mapToLong(row -> row.getLong("acted_count")).sum();
    long control = rows.values().stream().mapToLong(row -> row.getLong("control_count")).sum();
    assertThat(acted).as("requests that Manx acted on").isPositive();
    assertThat(control).as("requests that it left alone").isPositive();
    Map<String, Long> after = counters();
    assertThat(after.get("requests_planned") - before.get("requests_planned"))
        .as("no other request has a plan")
        .isEqualTo(acted);
    assertThat(after.get("multigets_unpaged") - before.get("multigets_unpaged"))
        .as("a control keeps its paging")
        .isEqualTo(acted - rows.get(1).getLong("acted_count"));
    assertThat(after.get("faults")).isZero();
    Row wide = rows.get(101);
    assertThat(wide.getString("keys")).isEqualTo("101+");
    assertThat(wide.getString("pressure")).isEqualTo("busy");
    assertThat(wide.getLong("acted_p99_us"))
        .as("110 reads of 2 ms on two threads")
        .isGreaterThan(100_000)
        .isBetween(wide.getLong("acted_p99_low_us"), wide.getLong("acted_p99_high_us"));
    assertThat(latency("m.other").get(2).getLong("control_count")).isPositive();
    assertThat(latency("m.other").get(2).isNull("acted_p99_us")).isTrue();
    Map<Long, Long> buckets = wide.getMap("acted_buckets", Long.class, Long.class);
    assertThat(buckets.values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(wide.getLong("acted_count"));
    assertThat(buckets).containsKey(wide.getLong("acted_p99_us"));
    assertThat(latency("all").get(2).getLong("control_count"))
        .as("a table that the canary leaves out is not part of the comparison")
        .isEqualTo(rows.get(2).getLong("control_count"));
  }

  @Test
  @Order(2)
  void everyNameOfBoardAndRulesIsThere() throws Exception {
    // Metrics of tables and nodes are registered within seconds of the first request.
    Waiting.until("all metrics are registered", MonitoringEndToEndTest::hasAll);
    Scrape scrape = scrape();
    assertThat(Dashboards.alerts()).hasSizeGreaterThan(10);
    Dashboards.rules()
        .forEach((alert, query) -> assertThat(scrape.missing(query)).as(alert).isEmpty());
    List<String> board = Dashboards.boardQueries();
    assertThat(board).hasSizeGreaterThan(40);
    board.forEach(query -> assertThat(scrape.missing(query)).as(query).isEmpty());
    assertThat(scrape.value("cassandra_manx_mode")).isEqualTo(2);
    assertThat(scrape.value("cassandra_manx_canaryshare")).isEqualTo(0.5);
    assertThat(scrape.value("cassandra_manx_version")).isPositive();
    assertThat(scrape.value("cassandra_manx_requestsplanned_total")).isPositive();
    assertThat(scrape.value("cassandra_manx_metricsfailed_total")).isZero();
    assertThat(OneNode.table(session, "strategy").get("metrics"))
        .endsWith(" in Cassandra's registry");
  }

  @Test
  @Order(3)
  void everyBeanIsExportedAndExplained() throws Exception {
    Set<String> beans =
        node.jmx(
            server ->
                server
                    .queryNames(new ObjectName("org.apache.cassandra.metrics:type=Manx,*"), null)
                    .stream()
                    .map(bean -> bean.getKeyProperty("name"))
                    .collect(Collectors.toSet()));
    assertThat(beans).contains("Mode", "RequestLatency", "PeerHopPrice", "RequestsPlanned");
    Set<String> counters =
        counters().keySet().stream()
            .map(MonitoringEndToEndTest::inCapitals)
            .collect(Collectors.toSet());
    assertThat(beans).containsAll(counters);
    String page = Files.readString(ROOT.resolve("docs/operate/monitoring.md"));
    assertThat(beans)
        .filteredOn(name -> !counters.contains(name))
        .allMatch(name -> page.contains("`" + name + "`"));
    Set<String> exported = scrape().names();
    assertThat(beans)
        .allMatch(
            name -> {
              String lower = "cassandra_manx_" + name.toLowerCase(Locale.ROOT);
              return List.of("", "_total", "_seconds").stream()
                  .anyMatch(end -> exported.contains(lower + end));
            });
  }

  private static String inCapitals(String counter) {
    return Arrays.stream(counter.split("_", -1))
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining());
  }

  @Test
  @Order(4)
  void aCanaryThatIsRefusedChangesNothing() {
    assertThatThrownBy(() -> OneNode.set(session, "canary", "{ share: 200% }"))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("canary.share = '200%' is invalid");
    assertThat(OneNode.table(session, "strategy").get("canary")).contains("share: 0.5");
  }

  @Test
  @Order(5)
  void offIsSeenAndAShareOfNothingLeavesAllToStock() throws Exception {
    PreparedStatement multiget = session.prepare("SELECT k, v FROM m.t WHERE k IN ?");
    OneNode.set(session, "canary", "0%");
    Map<String, Long> before = counters();
    read(multiget, 10);
    assertThat(counters().get("multigets_unpaged")).isEqualTo(before.get("multigets_unpaged"));
    assertThat(counters().get("requests_planned")).isEqualTo(before.get("requests_planned"));
    assertThat(latency("all").get(6).getLong("control_count")).isEqualTo(1);
    OneNode.set(session, "canary", "100%");
    assertThat(latency("all")).as("another canary begins anew").isEmpty();
    read(multiget, 10);
    assertThat(latency("all").get(6).getLong("acted_count")).isEqualTo(1);
    OneNode.set(session, "mode", "off");
    assertThat(scrape().value("cassandra_manx_mode")).isZero();
    read(multiget, 10);
    assertThat(latency("all").get(6).getLong("acted_count")).isEqualTo(1);
    node.cluster.checkAlive();
  }
}
