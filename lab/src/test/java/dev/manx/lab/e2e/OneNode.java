/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.ClusterSettings.ServiceModel;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import dev.manx.local.cluster.Node;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A separate node for tests that need other settings than the shared three. */
final class OneNode implements AutoCloseable {
  final LocalCluster cluster;

  private OneNode(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Boots it, with a heap of 512 MiB, two read threads, and a model of storage for tables with
   * {@code memtable = 'modelled'}.
   *
   * @param plugin whether the plugin's jar is present and configured
   * @param yaml further lines of cassandra.yaml
   */
  static OneNode boot(
      boolean plugin, List<Path> policies, Map<String, String> yaml, List<String> jvmOptions) {
    return boot(1, plugin, policies, yaml, jvmOptions);
  }

  /**
   * Boots it at a given address.
   *
   * @param host last number of the address
   */
  static OneNode boot(
      int host,
      boolean plugin,
      List<Path> policies,
      Map<String, String> yaml,
      List<String> jvmOptions) {
    ManxHome home = new ManxHome(ManxHome.find().root(), policies);
    ServiceModel model = new ServiceModel(2_000_000, 0);
    return boot(host, home, plugin, model, yaml, Sooner.once(jvmOptions));
  }

  /**
   * Boots one on another Cassandra.
   *
   * @param model of storage, or null for none
   */
  static OneNode boot(
      ManxHome home,
      boolean plugin,
      ServiceModel model,
      Map<String, String> yaml,
      List<String> jvmOptions) {
    return boot(1, home, plugin, model, yaml, jvmOptions);
  }

  /**
   * Boots one at a given address that has nothing but Cassandra's jars, with just these options.
   */
  static OneNode bootStock(int host, List<String> jvmOptions) {
    return boot(host, ManxHome.find(), false, null, Map.of(), jvmOptions);
  }

  private static OneNode boot(
      int host,
      ManxHome home,
      boolean plugin,
      ServiceModel model,
      Map<String, String> yaml,
      List<String> jvmOptions) {
    ClusterSettings like = ClusterSettings.defaults();
    return new OneNode(
        LocalCluster.start(
            new ClusterSettings(
                1,
                host,
                2,
                like.heapBytes(),
                like.tokens(),
                like.readTimeoutNanos(),
                "c1",
                like.dataBytes(),
                model,
                plugin,
                Patience.yaml(yaml),
                jvmOptions),
            home,
            home.root().resolve(".manx/work"),
            text -> {}));
  }

  /** A session of a user; null for none. */
  static CqlSession session(String user, String password) {
    return session(1, user, password);
  }

  /** Opens a session with a node at another address, given by its last number. */
  static CqlSession session(int host, String user, String password) {
    var builder =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress("127.0.0." + host, 9042))
            .withLocalDatacenter("datacenter1")
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                    .withDuration(
                        DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(20))
                    .withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, 1)
                    // With it the driver reads the schema again after each change, and waits until
                    // all nodes agree on it: there is one.
                    .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                    // No request is in flight when it is closed.
                    .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                    .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                    .build());
    return user == null ? builder.build() : builder.withAuthCredentials(user, password).build();
  }

  /** The values of one of Manx's virtual tables, or the states of its hooks, as texts. */
  static Map<String, String> table(CqlSession session, String table) {
    String column = table.equals("hooks") ? "state" : "value";
    Map<String, String> rows = new TreeMap<>();
    for (Row row : session.execute("SELECT * FROM manx." + table)) {
      rows.put(row.getString("name"), String.valueOf(row.getObject(column)));
    }
    return rows;
  }

  static void set(CqlSession session, String name, String value) {
    session.execute("UPDATE manx.strategy SET value = ? WHERE name = ?", value, name);
  }

  /** A query of a node's JMX server. */
  interface Jmx<T> {
    T ask(MBeanServerConnection server) throws Exception;
  }

  <T> T jmx(Jmx<T> question) throws Exception {
    return jmx(cluster.nodes().get(0), question);
  }

  @SuppressWarnings("BanJNDI") // JMX on loopback is what is tested
  static <T> T jmx(Node node, Jmx<T> question) throws Exception {
    String url = "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + node.jmxPort() + "/jmxrmi";
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
      return question.ask(connector.getMBeanServerConnection());
    }
  }

  String snitch() throws Exception {
    return snitch(cluster.nodes().get(0));
  }

  /** The class name of a node's snitch. */
  static String snitch(Node node) throws Exception {
    ObjectName info = new ObjectName("org.apache.cassandra.db:type=EndpointSnitchInfo");
    return OneNode.<String>jmx(node, server -> (String) server.getAttribute(info, "SnitchName"));
  }

  /**
   * Makes a node use another snitch.
   *
   * @param badness threshold by which a node must be worse before a dynamic snitch reorders
   */
  static void useSnitch(Node node, String snitch, boolean dynamic, double badness)
      throws Exception {
    OneNode.<Object>jmx(
        node,
        server ->
            server.invoke(
                new ObjectName("org.apache.cassandra.db:type=StorageService"),
                "updateSnitch",
                new Object[] {snitch, dynamic, 100, 600_000, badness},
                new String[] {
                  String.class.getName(),
                  Boolean.class.getName(),
                  Integer.class.getName(),
                  Integer.class.getName(),
                  Double.class.getName()
                }));
  }

  @Override
  public void close() {
    cluster.close();
  }
}
