/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.lab.cluster.ClusterSettings;
import dev.manx.lab.cluster.LocalCluster;
import dev.manx.lab.cluster.ManxHome;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two datacenters of two nodes each, in a rack of its own each, all of which hold every key. The
 * snitch is changed over JMX while Manx is on.
 */
@Tag("e2e")
@Order(7)
@Timeout(300)
class TwoDatacentersEndToEndTest {
  private static final int KEYS = 120;
  private static final int REQUESTS = 60;
  private static final int WIDTH = 12;
  private static final int BURST = 40;
  // Goes elsewhere than stock as often as it may.
  private static final String RANDOM =
      "strategy: { select: select.random, order: order.bottleneck, fanout: fanout.brb-equalmax }";
  private static final String LEAST_WORK =
      """
      strategy:
        select: select.low
        order: order.bottleneck
        fanout: fanout.brb-equalmax
        facts: [pending-reads, service-time, work-ahead]
      """;

  private static LocalCluster cluster;
  // A driver talks to the nodes of one datacenter only.
  private static final List<CqlSession> sessions = new ArrayList<>();
  private static PreparedStatement multiget;

  @BeforeAll
  static void boot() throws Exception {
    Path work = ManxHome.find().root().resolve(".manx/datacenters");
    Files.createDirectories(work);
    for (int node = 1; node <= 4; node++) {
      Files.writeString(
          work.resolve("node" + node + ".properties"),
          "dc=datacenter%d%nrack=rack%d%n".formatted((node + 1) / 2, 2 - node % 2));
      // Only the first would rather wait a minute than leave its rack.
      Files.writeString(
          work.resolve("node" + node + ".yaml"),
          "plugin: { mode: off, rack-price: %s }%n".formatted(node == 1 ? "1min" : "0"));
    }
    ClusterSettings like = ClusterSettings.defaults();
    cluster =
        LocalCluster.start(
            new ClusterSettings(
                4,
                1,
                2,
                like.heapBytes(),
                like.tokens(),
                like.readTimeoutNanos(),
                "c1",
                like.dataBytes(),
                new ClusterSettings.ServiceModel(2_000_000, 0),
                true,
                Map.of("endpoint_snitch", "GossipingPropertyFileSnitch", "dynamic_snitch", "false"),
                List.of(
                    "-Dcassandra-rackdc.properties=" + work.toUri() + "{node}.properties",
                    "-Dmanx.config=" + work + "/{node}.yaml")),
            new ManxHome(ManxHome.find().root(), List.of(topology(work.resolve("topology.jar")))),
            ManxHome.find().root().resolve(".manx/work"),
            text -> {});
    for (int datacenter = 1; datacenter <= 2; datacenter++) {
      sessions.add(
          CqlSession.builder()
              .addContactPoint(new InetSocketAddress("127.0.0." + (2 * datacenter - 1), 9042))
              .withLocalDatacenter("datacenter" + datacenter)
              .withConfigLoader(
                  DriverConfigLoader.programmaticBuilder()
                      .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                      .build())
              .build());
    }
    CqlSession session = sessions.get(0);
    session.execute(
        "CREATE KEYSPACE dc WITH replication = {'class': 'NetworkTopologyStrategy',"
            + " 'datacenter1': 2, 'datacenter2': 2}");
    session.execute(
        "CREATE TABLE dc.t (k int PRIMARY KEY, v int) WITH speculative_retry = 'NEVER'");
    PreparedStatement insert = session.prepare("INSERT INTO dc.t (k, v) VALUES (?, ?)");
    for (int k = 0; k < KEYS; k++) {
      session.execute(
          insert.bind(k, CheckedLoad.value(k)).setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
    multiget = session.prepare("SELECT k, v FROM dc.t WHERE k IN ?");
    session.execute(
        "CREATE TABLE dc.slow (k int PRIMARY KEY, v int)"
            + " WITH memtable = 'modelled' AND speculative_retry = 'NEVER'");
    for (int node = 0; node < 4; node++) {
      set(node, "calm-after", "0s");
      set(node, "document", RANDOM);
      set(node, "mode", "on");
    }
  }

  /** Where the snitch finds which node is in which datacenter: on the class path. */
  private static Path topology(Path jar) throws Exception {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      out.putNextEntry(new JarEntry("cassandra-topology.properties"));
      out.write(
          """
          127.0.0.1=datacenter1:rack1
          127.0.0.2=datacenter1:rack2
          127.0.0.3=datacenter2:rack1
          127.0.0.4=datacenter2:rack2
          default=datacenter1:rack1
          """
              .getBytes(StandardCharsets.ISO_8859_1));
      out.closeEntry();
    }
    return jar;
  }

  @AfterAll
  static void stop() {
    sessions.forEach(CqlSession::close);
    if (cluster != null) {
      cluster.close();
    }
  }

  static Stream<Arguments> snitches() {
    return Stream.of("GossipingPropertyFileSnitch", "PropertyFileSnitch")
        .flatMap(snitch -> Stream.of(false, true).map(dynamic -> Arguments.of(snitch, dynamic)));
  }

  @ParameterizedTest
  @MethodSource("snitches")
  void noReadLeavesTheCoordinatorsDatacenter(String snitch, boolean dynamic) throws Exception {
    use(snitch, dynamic);
    awaitStockAtHome();
    noReadLeavesAt(DefaultConsistencyLevel.ONE);
    noReadLeavesAt(DefaultConsistencyLevel.LOCAL_ONE);
    noReadLeavesAt(DefaultConsistencyLevel.LOCAL_QUORUM);
  }

  /** Sets every node's snitch over JMX and waits until Manx stands in front of it. */
  private static void use(String snitch, boolean dynamic) throws Exception {
    for (int i = 0; i < 4; i++) {
      int node = i;
      OneNode.<Object>jmx(
          cluster.nodes().get(node),
          server ->
              server.invoke(
                  new ObjectName("org.apache.cassandra.db:type=StorageService"),
                  "updateSnitch",
                  // Of times alone the dynamic snitch leaves the datacenter in stock too, once they
                  // differ by this much; here they never do.
                  new Object[] {snitch, dynamic, 100, 600_000, 1e9},
                  new String[] {
                    String.class.getName(),
                    Boolean.class.getName(),
                    Integer.class.getName(),
                    Integer.class.getName(),
                    Double.class.getName()
                  }));
      String stock = dynamic ? "DynamicEndpointSnitch" : snitch;
      Waiting.until(
          "Manx stands in front of " + stock,
          () ->
              at(node, "SELECT detail FROM manx.hooks WHERE name = 'snitch'")
                  .one()
                  .getString("detail")
                  .equals("in front of org.apache.cassandra.locator." + stock));
    }
  }

  /**
   * A dynamic snitch that has not heard of a node takes it for the fastest, so stock begins with
   * reads that leave.
   */
  private static void awaitStockAtHome() {
    for (int node = 0; node < 2; node++) {
      set(node, "mode", "off");
    }
    ask(DefaultConsistencyLevel.ALL, 0, 1);
    Waiting.until(
        "no read of stock leaves",
        () -> {
          long away = reads(2) + reads(3);
          ask(DefaultConsistencyLevel.ONE, 0, 1);
          return reads(2) + reads(3) == away;
        });
    for (int node = 0; node < 2; node++) {
      set(node, "mode", "on");
    }
  }

  private static void noReadLeavesAt(DefaultConsistencyLevel level) {
    long planned = counter(0, "reads_planned") + counter(1, "reads_planned");
    long changed = counter(0, "select_changed") + counter(1, "select_changed");
    long home = reads(0) + reads(1);
    long away = reads(2) + reads(3);
    ask(level, 0, 1);
    assertThat(reads(2) + reads(3)).as("reads in the other datacenter at " + level).isEqualTo(away);
    int perRead = level == DefaultConsistencyLevel.LOCAL_QUORUM ? 2 : 1;
    assertThat(reads(0) + reads(1) - home).isEqualTo((long) REQUESTS * WIDTH * perRead);
    assertThat(counter(0, "reads_planned") + counter(1, "reads_planned") - planned)
        .isEqualTo((long) REQUESTS * WIDTH);
    if (perRead == 1) {
      assertThat(counter(0, "select_changed") + counter(1, "select_changed"))
          .as("it went elsewhere inside its own at " + level)
          .isGreaterThan(changed);
    }
  }

  @Test
  void aReadLeavesItsRackOnlyForItsPrice() throws Exception {
    use("GossipingPropertyFileSnitch", false);
    PreparedStatement insert = sessions.get(0).prepare("INSERT INTO dc.slow (k, v) VALUES (?, ?)");
    for (int k = 0; k < KEYS; k++) {
      sessions
          .get(0)
          .execute(
              insert
                  .bind(k, CheckedLoad.value(k))
                  .setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
    try {
      for (int node = 0; node < 2; node++) {
        set(node, "document", LEAST_WORK);
      }
      // Both have their own rack to themselves, and far more to read than their two threads can.
      long dear = servedElsewhere(0);
      long free = servedElsewhere(1);
      System.out.printf(
          "of %d reads each, %d left a rack at a price of 1 min, %d at none%n",
          BURST * WIDTH, dear, free);
      assertThat(dear).isZero();
      assertThat(free).isBetween(1L, BURST * (long) WIDTH - 1);
    } finally {
      for (int node = 0; node < 2; node++) {
        set(node, "document", RANDOM);
      }
    }
  }

  /** Sends many multigets at once to a node; how many of their reads its neighbour served. */
  private static long servedElsewhere(int coordinator) {
    long home = reads("slow", 0) + reads("slow", 1);
    long away = reads("slow", 2) + reads("slow", 3);
    long neighbour = reads("slow", 1 - coordinator);
    PreparedStatement slow = sessions.get(0).prepare("SELECT k, v FROM dc.slow WHERE k IN ?");
    List<CompletionStage<AsyncResultSet>> sent = new ArrayList<>();
    for (int i = 0; i < BURST; i++) {
      int from = i % (KEYS - WIDTH);
      List<Integer> keys = IntStream.range(from, from + WIDTH).boxed().toList();
      sent.add(sessions.get(0).executeAsync(slow.bind(keys).setNode(node(coordinator))));
    }
    for (CompletionStage<AsyncResultSet> each : sent) {
      assertThat(each.toCompletableFuture().join().currentPage()).hasSize(WIDTH);
    }
    assertThat(reads("slow", 0) + reads("slow", 1) - home).isEqualTo((long) BURST * WIDTH);
    assertThat(reads("slow", 2) + reads("slow", 3)).isEqualTo(away);
    return reads("slow", 1 - coordinator) - neighbour;
  }

  @Test
  void aQuorumOfEachIsLeftToStock() {
    long planned = counter(0, "requests_planned");
    long left = counter(0, "requests_not_planned");
    long home = reads(0) + reads(1);
    long away = reads(2) + reads(3);
    ask(DefaultConsistencyLevel.EACH_QUORUM, 0, 0);
    assertThat(counter(0, "requests_planned")).isEqualTo(planned);
    assertThat(counter(0, "requests_not_planned") - left).isEqualTo(REQUESTS);
    assertThat(reads(0) + reads(1) - home).isEqualTo(2L * REQUESTS * WIDTH);
    assertThat(reads(2) + reads(3) - away).isEqualTo(2L * REQUESTS * WIDTH);
  }

  @Test
  void aQuorumOfAllStaysAtHomeAsFarAsStocksDoes() {
    long home = reads(0) + reads(1);
    long away = reads(2) + reads(3);
    // Three of four: both at home, and one of the other two.
    ask(DefaultConsistencyLevel.QUORUM, 0, 1);
    assertThat(reads(0) + reads(1) - home).isEqualTo(2L * REQUESTS * WIDTH);
    assertThat(reads(2) + reads(3) - away).isEqualTo((long) REQUESTS * WIDTH);
  }

  /** Multigets by way of two coordinators in turn, every row checked. */
  private static void ask(DefaultConsistencyLevel level, int... coordinators) {
    for (int i = 0; i < REQUESTS; i++) {
      int from = i % (KEYS - WIDTH);
      List<Integer> keys = IntStream.range(from, from + WIDTH).boxed().toList();
      List<Row> rows =
          sessions
              .get(0)
              .execute(
                  multiget
                      .bind(keys)
                      .setConsistencyLevel(level)
                      .setNode(node(coordinators[i % coordinators.length])))
              .all();
      assertThat(rows).allMatch(row -> row.getInt("v") == CheckedLoad.value(row.getInt("k")));
      assertThat(rows.stream().map(row -> row.getInt("k")).collect(Collectors.toSet()))
          .isEqualTo(new TreeSet<>(keys));
    }
  }

  /** Reads of the table that a node has served from its own storage. */
  private static long reads(int node) {
    return reads("t", node);
  }

  private static long reads(String table, int node) {
    return at(
            node,
            "SELECT count FROM system_views.local_read_latency"
                + " WHERE keyspace_name = 'dc' AND table_name = ?",
            table)
        .one()
        .getLong("count");
  }

  private static long counter(int node, String name) {
    return at(node, "SELECT value FROM manx.counters WHERE name = ?", name).one().getLong("value");
  }

  private static void set(int node, String name, String value) {
    at(node, "UPDATE manx.strategy SET value = ? WHERE name = ?", value, name);
  }

  private static ResultSet at(int node, String cql, Object... values) {
    return sessions
        .get(node / 2)
        .execute(SimpleStatement.newInstance(cql, values).setNode(node(node)));
  }

  private static Node node(int index) {
    String address = "127.0.0." + (index + 1);
    return sessions.get(index / 2).getMetadata().getNodes().values().stream()
        .filter(
            node ->
                node.getEndPoint().resolve() instanceof InetSocketAddress at
                    && at.getAddress().getHostAddress().equals(address))
        .findFirst()
        .orElseThrow();
  }
}
