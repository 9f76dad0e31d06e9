/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Two datacenters of two nodes each, in separate racks; all nodes hold every key. Manx is on at all
 * of them, and the snitch can be changed over JMX.
 */
final class TwoDatacenters implements AutoCloseable {
  static final int KEYS = 120;
  static final int REQUESTS = "1".equals(System.getenv("MANX_FULL")) ? 60 : 30;
  static final int WIDTH = 12;
  // Differs from stock's choice as often as possible.
  static final String RANDOM =
      "strategy: { select: select.random, order: order.bottleneck, fanout: fanout.brb-equalmax }";

  private final LocalCluster cluster;
  // A driver talks to the nodes of one datacenter only.
  private final List<CqlSession> sessions = new ArrayList<>();
  private PreparedStatement multiget;

  private TwoDatacenters(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /** Boots them and fills the tables {@code t} and {@code slow}, whose storage is a model. */
  static TwoDatacenters boot() throws Exception {
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
    TwoDatacenters booted =
        new TwoDatacenters(
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
                    Patience.yaml(
                        Map.of(
                            "endpoint_snitch",
                            "GossipingPropertyFileSnitch",
                            "dynamic_snitch",
                            "false")),
                    Sooner.once(
                        List.of(
                            "-Dcassandra-rackdc.properties=" + work.toUri() + "{node}.properties",
                            "-Dmanx.config=" + work + "/{node}.yaml"))),
                new ManxHome(
                    ManxHome.find().root(), List.of(topology(work.resolve("topology.jar")))),
                ManxHome.find().root().resolve(".manx/work"),
                text -> {}));
    try {
      booted.open();
    } catch (RuntimeException | Error e) {
      booted.close();
      throw e;
    }
    return booted;
  }

  private void open() {
    for (int datacenter = 1; datacenter <= 2; datacenter++) {
      sessions.add(
          CqlSession.builder()
              .addContactPoint(new InetSocketAddress("127.0.0." + (2 * datacenter - 1), 9042))
              .withLocalDatacenter("datacenter" + datacenter)
              .withConfigLoader(
                  DriverConfigLoader.programmaticBuilder()
                      .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                      .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                      .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
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
    CheckedLoad.fill(session, insert, KEYS);
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

  /** The snitch reads the datacenters of nodes from the class path. */
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

  /** The nodes and their processes. */
  LocalCluster cluster() {
    return cluster;
  }

  /** A session with the nodes of the first datacenter. */
  CqlSession session() {
    return session(0);
  }

  /** A session with the nodes of a datacenter, 0 or 1. */
  CqlSession session(int datacenter) {
    return sessions.get(datacenter);
  }

  /** Sets every node's snitch over JMX and waits until Manx wraps it. */
  void use(String snitch, boolean dynamic, double badness) throws Exception {
    for (int i = 0; i < 4; i++) {
      int node = i;
      OneNode.useSnitch(cluster.nodes().get(node), snitch, dynamic, badness);
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

  /** Multigets through two coordinators in turn, with every row checked. */
  void ask(DefaultConsistencyLevel level, int... coordinators) {
    for (int i = 0; i < REQUESTS; i++) {
      int from = i % (KEYS - WIDTH);
      List<Integer> keys = IntStream.range(from, from + WIDTH).boxed().toList();
      ResultSet rows =
          sessions
              .get(0)
              .execute(
                  multiget
                      .bind(keys)
                      .setConsistencyLevel(level)
                      .setNode(node(coordinators[i % coordinators.length])));
      assertThat(CheckedLoad.found(rows)).isEqualTo(CheckedLoad.right(keys));
    }
  }

  /** Reads of the table that a node has served from its own storage. */
  long reads(int node) {
    return reads("t", node);
  }

  long reads(String table, int node) {
    return at(
            node,
            "SELECT count FROM system_views.local_read_latency"
                + " WHERE keyspace_name = 'dc' AND table_name = ?",
            table)
        .one()
        .getLong("count");
  }

  long counter(int node, String name) {
    return at(node, "SELECT value FROM manx.counters WHERE name = ?", name).one().getLong("value");
  }

  /** The rows of {@code manx.counters} of a node. */
  Map<String, Long> counters(int node) {
    return at(node, "SELECT name, value FROM manx.counters").all().stream()
        .collect(Collectors.toMap(row -> row.getString("name"), row -> row.getLong("value")));
  }

  void set(int node, String name, String value) {
    at(node, "UPDATE manx.strategy SET value = ? WHERE name = ?", value, name);
  }

  /** The mode and the strategy of each node. */
  List<String> switches() {
    return IntStream.range(0, 4)
        .boxed()
        .flatMap(
            node ->
                at(node, "SELECT name, value FROM manx.strategy WHERE name IN ('mode', 'document')")
                    .all()
                    .stream())
        .map(row -> row.getString("name") + ": " + row.getString("value"))
        .toList();
  }

  ResultSet at(int node, String cql, Object... values) {
    return sessions
        .get(node / 2)
        .execute(SimpleStatement.newInstance(cql, values).setNode(node(node)));
  }

  Node node(int index) {
    String address = "127.0.0." + (index + 1);
    return sessions.get(index / 2).getMetadata().getNodes().values().stream()
        .filter(
            node ->
                node.getEndPoint().resolve() instanceof InetSocketAddress at
                    && at.getAddress().getHostAddress().equals(address))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    sessions.forEach(CqlSession::close);
    cluster.close();
  }
}
