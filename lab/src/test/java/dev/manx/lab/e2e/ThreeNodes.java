/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.token.Token;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import dev.manx.lab.e2e.nasty.NastyPolicies;
import dev.manx.lab.e2e.nasty.NodeCode;
import dev.manx.load.CassandraSession;
import dev.manx.load.NodeAdmin;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import dev.manx.local.cluster.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.management.Attribute;
import javax.management.ObjectName;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The cluster that most end-to-end tests share: three nodes with the plugin in mode {@code off},
 * the jars of {@code examples/own-policy} and of policies that violate the rules in addition to it,
 * two read threads each and a short model of storage. Booted for the first test that has a
 * parameter of this type, stopped after the last test of the run. A class of tests leaves behind
 * what it found, the mode {@code off} for example, which is checked.
 */
public final class ThreeNodes implements ExtensionContext.Store.CloseableResource {
  /** Separate addresses, so that tests that boot nodes can run next to those that share these. */
  private static final int FIRST_HOST = 11;

  private static final long BASE_NANOS = 2_000_000;
  private static final long PER_KIB_NANOS = 50_000;
  private static final String PROXY = "org.apache.cassandra.db:type=StorageProxy";
  private static final String TIMEOUT = "ReadRpcTimeout";

  private final LocalCluster cluster;
  private final CassandraSession session;
  private final NodeAdmin admin;
  private final List<Map<String, Object>> booted = new ArrayList<>();

  private ThreeNodes() {
    Path work = ManxHome.find().root().resolve(".manx/work");
    // In addition to the plugin's there are third parties' jars, which most tests do not use.
    Path own = OwnPolicy.jar(ManxHome.find().root().resolve(".manx/own-policy"));
    Path garbling = NodeCode.jar(ManxHome.find().root().resolve(".manx/node-code"));
    Path nasty = NastyPolicies.jar(ManxHome.find().root().resolve(".manx/nasty-policies"));
    ManxHome home = new ManxHome(ManxHome.find().root(), List.of(own, garbling, nasty));
    ClusterSettings like = ClusterSettings.defaults();
    cluster =
        LocalCluster.start(
            new ClusterSettings(
                3,
                FIRST_HOST,
                2,
                like.heapBytes(),
                like.tokens(),
                like.readTimeoutNanos(),
                "c1",
                like.dataBytes(),
                new ClusterSettings.ServiceModel(BASE_NANOS, PER_KIB_NANOS),
                true,
                Patience.yaml(
                    Map.of(
                        // So that stock's choice of replicas is known to tests beforehand.
                        "dynamic_snitch", "false",
                        "materialized_views_enabled", "true")),
                Sooner.once(
                    List.of(
                        // They live long, and this clock wakes up 500 times a second otherwise.
                        "-Dcassandra.approximate_time_precision_ms=10",
                        "-Dcassandra.clock=nasty.SteppedClock",
                        // Cassandra looks at the time of day every 10 s otherwise.
                        "-Dcassandra.NANOTIMETOMILLIS_TIMESTAMP_UPDATE_INTERVAL=100"))),
            home,
            work,
            text -> {});
    CassandraSession opened = null;
    try {
      opened = CassandraSession.open(Patience.session(address(0), Node.NATIVE_PORT));
      session = opened;
      admin = new NodeAdmin(session);
      // A slow test still finds Manx active.
      set("calm-after", "0s");
      for (int node = 0; node < 3; node++) {
        booted.add(state(node));
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      if (opened == null) {
        cluster.close();
      }
    }
  }

  /** The address of one of them (0 to 2), {@code 127.0.0.11} and the two after it. */
  static String address(int node) {
    return "127.0.0." + (FIRST_HOST + node);
  }

  /** The nodes and their processes. */
  public LocalCluster cluster() {
    return cluster;
  }

  /** A session that knows all nodes. */
  public CassandraSession session() {
    return session;
  }

  /** Queries single nodes. */
  public NodeAdmin admin() {
    return admin;
  }

  /** A virtual table with columns {@code name} and another, on one node (0 to 2), as texts. */
  public Map<String, String> table(int node, String table, String column) {
    Map<String, String> rows = new TreeMap<>();
    admin
        .rows(admin.nodes().get(node), "SELECT * FROM " + table)
        .forEach(row -> rows.put(String.valueOf(row.get("name")), String.valueOf(row.get(column))));
    return rows;
  }

  /** Callbacks of messages between nodes that expired at the first node. */
  long timeouts() throws Exception {
    return OneNode.<Long>jmx(
        cluster.nodes().get(0),
        server ->
            (Long)
                server.getAttribute(
                    new ObjectName(
                        "org.apache.cassandra.metrics:type=Connection,name=TotalTimeouts"),
                    "Count"));
  }

  /** Writes to all replicas: a read that follows may ask any of them. */
  void write(String cql, Object... values) {
    session
        .driver()
        .execute(
            SimpleStatement.newInstance(cql, values)
                .setConsistencyLevel(DefaultConsistencyLevel.ALL));
  }

  /** A row of {@code manx.strategy} on each node. */
  List<String> status(String name) {
    return IntStream.range(0, 3)
        .mapToObj(node -> table(node, "manx.strategy", "value").get(name))
        .toList();
  }

  /** {@code UPDATE manx.strategy} on every node. */
  public void set(String name, String value) {
    admin
        .nodes()
        .forEach(
            node ->
                admin.execute(
                    node, "UPDATE manx.strategy SET value = ? WHERE name = ?", value, name));
  }

  /** {@code UPDATE manx.strategy} on one node (0 to 2). */
  void set(int node, String name, String value) {
    admin.execute(
        admin.nodes().get(node), "UPDATE manx.strategy SET value = ? WHERE name = ?", value, name);
  }

  /** Sets the time of each read in the modelled storage of one node (0 to 2). */
  void service(int node, long nanos) {
    admin.execute(
        admin.nodes().get(node),
        "UPDATE manx_lab.service_model SET value = ? WHERE name = 'base_nanos'",
        nanos);
  }

  /** The keys below a limit that a coordinator reads at a node (0 to 2) by default. */
  List<Integer> keysOf(int node, int keys) {
    TokenMap ring = session.driver().getMetadata().getTokenMap().orElseThrow();
    Set<TokenRange> own = ring.getTokenRanges(admin.nodes().get(node));
    ProtocolVersion version = session.driver().getContext().getProtocolVersion();
    return IntStream.range(0, keys)
        .filter(
            key -> {
              Token token = ring.newToken(TypeCodecs.INT.encode(key, version));
              return own.stream().anyMatch(range -> range.contains(token));
            })
        .boxed()
        .toList();
  }

  /** Sets every node's time-out for answers of replicas, instead of the usual 5 s. */
  void readTimeout(Duration timeout) throws Exception {
    for (Node node : cluster.nodes()) {
      OneNode.<Object>jmx(
          node,
          server -> {
            server.setAttribute(new ObjectName(PROXY), new Attribute(TIMEOUT, timeout.toMillis()));
            return null;
          });
    }
  }

  /** Undoes {@link #readTimeout}. */
  void usualReadTimeout() throws Exception {
    readTimeout(Duration.ofNanos(cluster.settings().readTimeoutNanos()));
  }

  @Override
  public void close() {
    session.close();
    cluster.close();
  }

  /** The settings of a node (0 to 2) that each class of tests must restore, by name. */
  private Map<String, Object> state(int index) throws Exception {
    Map<String, String> strategy = table(index, "manx.strategy", "value");
    Map<String, String> model = model(index);
    Node node = cluster.nodes().get(index);
    return Map.of(
        "mode", strategy.get("mode"),
        "calm-after", strategy.get("calm-after"),
        "base_nanos", model.get("base_nanos"),
        "per_kib_nanos", model.get("per_kib_nanos"),
        "snitch", OneNode.snitch(node),
        "read time-out",
            OneNode.<Object>jmx(
                node, server -> server.getAttribute(new ObjectName(PROXY), TIMEOUT)));
  }

  /** Its table exists as soon as a table uses the model. */
  private Map<String, String> model(int index) {
    boolean used =
        !admin
            .rows(
                admin.nodes().get(index),
                "SELECT * FROM system_virtual_schema.keyspaces WHERE keyspace_name = 'manx_lab'")
            .isEmpty();
    return used
        ? table(index, "manx_lab.service_model", "value")
        : Map.of(
            "base_nanos", Long.toString(BASE_NANOS), "per_kib_nanos", Long.toString(PER_KIB_NANOS));
  }

  private void assertAsBooted() throws Exception {
    for (int node = 0; node < 3; node++) {
      assertThat(state(node)).as("left behind at " + address(node)).isEqualTo(booted.get(node));
    }
  }

  /** Provides the fixture to tests, and checks that they leave the nodes as they were. */
  public static final class Fixture implements ParameterResolver, AfterAllCallback {
    @Override
    public void afterAll(ExtensionContext context) throws Exception {
      ThreeNodes nodes = store(context).get(ThreeNodes.class, ThreeNodes.class);
      if (nodes != null) {
        nodes.assertAsBooted();
      }
    }

    private static ExtensionContext.Store store(ExtensionContext context) {
      return context.getRoot().getStore(ExtensionContext.Namespace.GLOBAL);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == ThreeNodes.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return store(context).getOrComputeIfAbsent(ThreeNodes.class, key -> new ThreeNodes());
    }
  }
}
