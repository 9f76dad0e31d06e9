/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.load.CassandraSession;
import dev.manx.load.CassandraSettings;
import dev.manx.load.NodeAdmin;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Three nodes of which one is killed and started again, with the plugin and without. */
@OwnNodes
@Timeout(400)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full restarts nodes three times")
class RestartEndToEndTest {
  private static final int KEYS = 300;
  private static final int LOST = 2;

  private static LocalCluster cluster;
  private static CassandraSession opened;
  private static CqlSession session;
  private static NodeAdmin admin;
  private static PreparedStatement multiget;

  @BeforeAll
  static void boot() throws Exception {
    Path work = ManxHome.find().root().resolve(".manx/restart");
    Files.createDirectories(work);
    Files.deleteIfExists(work.resolve("manx.off"));
    Path config = work.resolve("manx.yaml");
    Files.writeString(
        config,
        """
        plugin: { mode: on, calm-after: 0s }
        strategy:
          select: { policy: select.low }
          order: { policy: order.bottleneck }
          fanout: { policy: fanout.brb-equalmax, longest-first: true }
          facts: [pending-reads, service-time, work-ahead]
        """);
    ClusterSettings like = ClusterSettings.defaults();
    cluster =
        LocalCluster.start(
            new ClusterSettings(
                3,
                1,
                2,
                like.heapBytes(),
                like.tokens(),
                2_000_000_000L,
                "c1",
                like.dataBytes(),
                new ClusterSettings.ServiceModel(1_000_000, 0),
                true,
                Map.of(
                    // A node that was away stays behind until a read repairs it.
                    "hinted_handoff_enabled", "false",
                    // A crash loses unsynced data.
                    "commitlog_sync_period", "50ms"),
                Sooner.startedAgain(List.of("-Dmanx.config=" + config))),
            ManxHome.find(),
            ManxHome.find().root().resolve(".manx/work"),
            text -> {});
    opened =
        CassandraSession.open(
            CassandraSettings.of(List.of(new InetSocketAddress("127.0.0.1", 9042))));
    session = opened.driver();
    admin = new NodeAdmin(opened);
    session.execute(
        "CREATE KEYSPACE r WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    session.execute("CREATE TABLE r.t (k int PRIMARY KEY, v int) WITH memtable = 'modelled'");
    session.execute(PairedRows.TABLE);
    PreparedStatement insert = session.prepare("INSERT INTO r.t (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    multiget = session.prepare("SELECT k, v FROM r.t WHERE k IN ?");
  }

  @AfterAll
  static void stop() {
    if (opened != null) {
      opened.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void aNodeKilledUnderLoadCostsNoMoreThanWithoutManxAndIsKnownAgainAfterwards() {
    mode("off");
    CheckedLoad stock = killedAndRestarted(false);
    mode("on");
    CheckedLoad manx = killedAndRestarted(true);
    System.out.printf(
        "killed and restarted: without Manx %d answered, errors %s; with Manx %d, errors %s%n",
        stock.answered(), kinds(stock), manx.answered(), kinds(manx));
    assertThat(stock.wrong()).isEmpty();
    assertThat(manx.wrong()).isEmpty();
    // Requests in flight to the node when it died, at most one of each client.
    assertThat(manx.errors().size())
        .isLessThanOrEqualTo(stock.errors().size() + CheckedLoad.CLIENTS);
    for (int node = 0; node < 3; node++) {
      int at = node;
      Waiting.until(
          "nothing is outstanding",
          () -> table(at, "strategy").get("tickets.open").startsWith("0 of"));
      assertThat(table(node, "strategy")).containsEntry("mode", "on");
      assertThat(table(node, "counters")).containsEntry("faults", "0");
    }
  }

  private static CheckedLoad killedAndRestarted(boolean on) {
    CheckedLoad load = new CheckedLoad(session, multiget, KEYS);
    try (load) {
      load.go(150);
      cluster.kill(LOST);
      load.go(300);
      if (on) {
        Waiting.until("the dead node's facts are old", () -> factsAgeMillis() > 3_000);
        // Until the failure detector convicts it, reads go there as in stock.
        Waiting.until(
            "nothing is outstanding there", () -> lost().get("outstanding_reads").equals(0));
      }
      cluster.restart(LOST, true);
      if (on) {
        Waiting.until("the node's facts are fresh", () -> factsAgeMillis() < 1_000);
        Waiting.until("it is on", () -> table(LOST, "strategy").get("mode").equals("on"));
      }
      load.go(300);
      Waiting.until("all nodes see all replicas", RestartEndToEndTest::isWhole);
    }
    return load;
  }

  private static long factsAgeMillis() {
    return (Long) lost().get("facts_age_ms");
  }

  private static Map<String, Object> lost() {
    return admin
        .rows(node(0), "SELECT * FROM manx.replicas WHERE address = '127.0.0.3:7000'")
        .get(0);
  }

  private static Map<String, Integer> kinds(CheckedLoad load) {
    Map<String, Integer> kinds = new TreeMap<>();
    load.errors().forEach(e -> kinds.merge(e.getClass().getSimpleName(), 1, Integer::sum));
    return kinds;
  }

  @Test
  @Order(2)
  void replicasThatDisagreeAreAnsweredAndRepairedAsByStock() {
    // Two partitions have equal histories: one is read with Manx off, the other with it on.
    mode("off");
    PairedRows pairs = new PairedRows(opened);
    pairs.fill();
    cluster.kill(LOST);
    pairs.change();
    cluster.restart(LOST, true);
    Waiting.until("all nodes see all replicas", RestartEndToEndTest::isWhole);
    for (DefaultConsistencyLevel level :
        List.of(DefaultConsistencyLevel.QUORUM, DefaultConsistencyLevel.ALL)) {
      mode("off");
      List<String> stock = pairs.read(level, 0);
      mode("on");
      List<String> manx = pairs.read(level, 1);
      assertThat(manx).as("at " + level).isEqualTo(stock).isEqualTo(PairedRows.right());
    }
    // Reads at ALL have repaired every row, so that each replica by itself knows all of them.
    for (int i = 0; i < 3; i++) {
      assertThat(pairs.read(DefaultConsistencyLevel.ONE, 1)).isEqualTo(PairedRows.right());
      assertThat(pairs.read(DefaultConsistencyLevel.ONE, 0)).isEqualTo(PairedRows.right());
    }
    assertThat(table(0, "counters")).containsEntry("faults", "0");
  }

  /** Whether all nodes see all replicas. */
  private static boolean isWhole() {
    try {
      for (int node = 0; node < 3; node++) {
        session.execute(
            multiget
                .bind(List.of(1))
                .setConsistencyLevel(DefaultConsistencyLevel.ALL)
                .setNode(node(node)));
      }
      return true;
    } catch (DriverException e) {
      return false;
    }
  }

  @Test
  @Order(3)
  void aNodeWithoutThePluginIsAnsweredAlike() {
    cluster.kill(LOST);
    cluster.restart(LOST, false);
    Waiting.until("all nodes see all replicas", RestartEndToEndTest::isWhole);
    for (String mode : List.of("off", "on")) {
      for (int node = 0; node < LOST; node++) {
        admin.execute(node(node), "UPDATE manx.strategy SET value = ? WHERE name = 'mode'", mode);
      }
      CheckedLoad load = new CheckedLoad(session, multiget, KEYS);
      try (load) {
        load.go(400);
        for (int i = 0; i < 60; i++) {
          List<Integer> keys = IntStream.range(i, i + 20).boxed().toList();
          assertThat(session.execute(multiget.bind(keys).setNode(node(LOST)).setPageSize(7)).all())
              .hasSize(20);
        }
      }
      assertThat(load.wrong()).isEmpty();
      assertThat(load.errors()).isEmpty();
    }
    assertThat(Long.parseLong(table(0, "counters").get("requests_planned"))).isPositive();
    assertThat(table(0, "counters")).containsEntry("faults", "0");
  }

  private static void mode(String mode) {
    for (int node = 0; node < 3; node++) {
      int at = node;
      Waiting.until("Manx has begun", () -> isThere(at));
      admin.execute(node(node), "UPDATE manx.strategy SET value = ? WHERE name = 'mode'", mode);
    }
  }

  private static boolean isThere(int node) {
    try {
      return !table(node, "strategy").isEmpty();
    } catch (RuntimeException e) {
      // Not yet set up, or the driver has not noticed yet that it is back.
      return false;
    }
  }

  private static Map<String, String> table(int node, String name) {
    Map<String, String> rows = new TreeMap<>();
    admin
        .rows(node(node), "SELECT name, value FROM manx." + name)
        .forEach(row -> rows.put((String) row.get("name"), String.valueOf(row.get("value"))));
    return rows;
  }

  private static Node node(int index) {
    return admin.nodes().get(index);
  }
}
