/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.load.CassandraSession;
import dev.manx.load.NodeAdmin;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A client of a cluster whose nodes are not alike and come and go: a table queried on every node,
 * and Manx's tables on each.
 */
final class MixedNodes implements AutoCloseable {
  static final int KEYS = 300;
  private static final int HOOKS = 9;

  private final LocalCluster cluster;
  private final CassandraSession opened;
  private final NodeAdmin admin;
  private PreparedStatement multiget;

  MixedNodes(LocalCluster cluster) {
    this.cluster = cluster;
    opened = CassandraSession.open(Patience.session("127.0.0.1", 9042));
    admin = new NodeAdmin(opened);
  }

  /**
   * Boots three nodes with two read threads each, whose storage takes the given time, with one
   * manx.yaml; the kill file of an earlier run is removed.
   *
   * @param name of the folder with the configuration
   * @param manx the text of manx.yaml, which all nodes read
   * @param plugin whether they load the plugin from the start
   */
  static LocalCluster boot(String name, String manx, long serviceNanos, boolean plugin)
      throws IOException {
    ManxHome home = ManxHome.find();
    Path work = Files.createDirectories(home.root().resolve(".manx").resolve(name));
    Path config = Files.writeString(work.resolve("manx.yaml"), manx);
    Files.deleteIfExists(work.resolve("manx.off"));
    ClusterSettings like = ClusterSettings.defaults();
    return LocalCluster.start(
        new ClusterSettings(
            3,
            1,
            2,
            like.heapBytes(),
            like.tokens(),
            like.readTimeoutNanos(),
            "c1",
            like.dataBytes(),
            new ClusterSettings.ServiceModel(serviceNanos, 0),
            plugin,
            Patience.yaml(Map.of()),
            Sooner.startedAgain(List.of("-Dmanx.config=" + config))),
        home,
        home.root().resolve(".manx/work"),
        text -> {});
  }

  CqlSession session() {
    return opened.driver();
  }

  /** Makes a table with as many replicas as there are nodes, of modelled storage. */
  void fill() {
    fill(" WITH memtable = 'modelled'");
  }

  /** The table without the model, which nodes of other versions do not have. */
  void fillPlain() {
    fill("");
  }

  private void fill(String options) {
    CqlSession session = session();
    session.execute(
        "CREATE KEYSPACE m WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
            + cluster.nodes().size()
            + "}");
    session.execute("CREATE TABLE m.t (k int PRIMARY KEY, v int)" + options);
    PreparedStatement insert = session.prepare("INSERT INTO m.t (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    multiget = session.prepare("SELECT k, v FROM m.t WHERE k IN ?");
  }

  /** Clients that check every row. */
  CheckedLoad load() {
    return new CheckedLoad(session(), multiget, KEYS);
  }

  /** Returns when all nodes see all replicas, and the driver all nodes. */
  void awaitWhole() {
    Waiting.until("all nodes see all replicas", this::isWhole);
  }

  private boolean isWhole() {
    try {
      for (int node = 0; node < cluster.nodes().size(); node++) {
        session()
            .execute(
                multiget
                    .bind(List.of(1))
                    .setConsistencyLevel(DefaultConsistencyLevel.ALL)
                    .setNode(node(node)));
      }
      return true;
    } catch (DriverException | IllegalArgumentException e) {
      return false;
    }
  }

  /** Returns when Manx acts on a node, with its hooks in the path. */
  void awaitOn(int node) {
    Waiting.until(
        "Manx is on",
        () -> {
          try {
            Map<String, String> shown = strategy(node);
            // The mode shows first, then the hooks enter the path, and then the switch is counted.
            return shown.getOrDefault("mode", "").equals("on")
                && !shown.getOrDefault("switches", "0").equals("0");
          } catch (RuntimeException e) {
            // Not yet set up, or the driver has not noticed yet that it is back.
            return false;
          }
        });
  }

  /** Checks that nodes of these releases have all hooks in their path, and that each one acts. */
  void allAct(List<String> releases) {
    for (int node = 0; node < releases.size(); node++) {
      awaitOn(node);
      assertThat(rows(node, "SELECT release_version AS name FROM system.local"))
          .containsOnlyKeys(releases.get(node));
      assertThat(rows(node, "SELECT name, state AS value FROM manx.hooks").values())
          .hasSize(HOOKS)
          .containsOnly("installed");
    }
    awaitWhole();
    CheckedLoad load = load();
    try (load) {
      load.go(600);
    }
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors()).isEmpty();
    for (int node = 0; node < releases.size(); node++) {
      for (String acted :
          List.of(
              "requests_planned",
              "multigets_unpaged",
              "select_applied",
              "select_changed",
              "tags_sent",
              "tags_received",
              "facts_sent",
              "facts_received",
              "order_queued",
              "tickets_answered")) {
        assertThat(counter(node, acted)).as(acted + " of " + releases.get(node)).isPositive();
      }
      assertThat(counter(node, "faults")).isZero();
      assertThat(rows(node, "SELECT name FROM manx.tables")).containsKey("m.t");
    }
  }

  /** {@code UPDATE manx.strategy} on a node. */
  void set(int node, String name, String value) {
    admin.execute(node(node), "UPDATE manx.strategy SET value = ? WHERE name = ?", value, name);
  }

  /** Manx's state on a node. */
  Map<String, String> strategy(int node) {
    return rows(node, "SELECT name, value FROM manx.strategy");
  }

  long counter(int node, String name) {
    return Long.parseLong(rows(node, "SELECT name, value FROM manx.counters").get(name));
  }

  /** A node's knowledge of another; null if it does not know it. */
  Map<String, Object> replica(int node, String address) {
    return admin
        .rows(node(node), "SELECT * FROM manx.replicas WHERE address = ?", address + ":7000")
        .stream()
        .findFirst()
        .orElse(null);
  }

  private Map<String, String> rows(int node, String cql) {
    Map<String, String> rows = new TreeMap<>();
    admin
        .rows(node(node), cql)
        .forEach(row -> rows.put((String) row.get("name"), String.valueOf(row.get("value"))));
    return rows;
  }

  /**
   * The driver's node, by its place in the cluster: the driver's own list has only those it met.
   */
  Node node(int index) {
    try {
      return admin.node(InetAddress.getByName(cluster.nodes().get(index).address()));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    opened.close();
  }
}
