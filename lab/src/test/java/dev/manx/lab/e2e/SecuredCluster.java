/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/**
 * Three nodes with logins, permissions and TLS, roles that may do more and less, and the files of
 * an operator whose commands connect to them.
 */
final class SecuredCluster implements AutoCloseable {
  static final Path WORK = ManxHome.find().root().resolve(".manx/secured");
  private static final Path STORE = WORK.resolve("nodes.p12");

  static final Path PERSISTED = WORK.resolve("manx.persisted.yaml");

  static final String ADDRESSES = "ip:127.0.0.1,ip:127.0.0.2,ip:127.0.0.3";

  final Authority authority;

  /** A store whose certificate is right for all nodes. */
  final Path good;

  /** A store with a client's key and certificate. */
  final Path client;

  final LocalCluster cluster;
  private long presented;

  private SecuredCluster() throws Exception {
    Files.createDirectories(WORK);
    authority = Authority.in(WORK.resolve("authority"));
    good = authority.sign("good", ADDRESSES, 0, 10);
    client = authority.sign("client", "", 0, 10);
    Files.copy(good, STORE, StandardCopyOption.REPLACE_EXISTING);
    Path config = WORK.resolve("manx.yaml");
    Files.writeString(config, "plugin: { mode: shadow }\nstrategy: manx\n");
    Files.deleteIfExists(WORK.resolve("manx.off"));
    Files.deleteIfExists(PERSISTED);
    ClusterSettings like = ClusterSettings.defaults();
    cluster =
        LocalCluster.start(
            new ClusterSettings(
                3,
                1,
                2,
                like.heapBytes(),
                like.tokens(),
                like.readTimeoutNanos(),
                "c1",
                like.dataBytes(),
                null,
                true,
                Patience.yaml(
                    Map.of(
                        "authenticator", "PasswordAuthenticator",
                        "authorizer", "CassandraAuthorizer",
                        "permissions_validity", "100ms",
                        "roles_validity", "100ms",
                        "client_encryption_options",
                            // Optional, for the launcher does not speak TLS.
                            "{enabled: true, optional: true, require_client_auth: true, store_type:"
                                + " PKCS12, keystore: \"%1$s\", keystore_password: %2$s, truststore:"
                                    .formatted(STORE, Authority.PASSWORD)
                                + " \"%1$s\", truststore_password: %2$s}"
                                    .formatted(STORE, Authority.PASSWORD))),
                Sooner.startedAgain(
                    List.of("-Dcassandra.superuser_setup_delay_ms=0", "-Dmanx.config=" + config))),
            ManxHome.find(),
            ManxHome.find().root().resolve(".manx/work"),
            text -> {});
  }

  /** Boots them, makes the roles and a table, and writes the files. */
  static SecuredCluster boot() throws Exception {
    SecuredCluster booted = new SecuredCluster();
    try {
      makeRoles();
      booted.writeFiles();
    } catch (Exception | Error e) {
      booted.close();
      throw e;
    }
    return booted;
  }

  private static void makeRoles() {
    try (CqlSession superuser = OneNode.session("cassandra", "cassandra")) {
      // Then a change of the schema is waited for on all nodes.
      superuser.setSchemaMetadataEnabled(true).toCompletableFuture().join();
      superuser.execute(
          "ALTER KEYSPACE system_auth WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
      // A role written by a node that does not know it yet is at one replica only.
      agree(superuser);
      // Repairs the superuser's own row, which has one replica so far.
      superuser.execute(
          SimpleStatement.newInstance("SELECT * FROM system_auth.roles")
              .setConsistencyLevel(ConsistencyLevel.ALL));
      for (String role : List.of("operator", "looker", "stranger")) {
        superuser.execute("CREATE ROLE " + role + " WITH PASSWORD = 'right' AND LOGIN = true");
      }
      for (String role : List.of("operator", "looker")) {
        for (String table : List.of("strategy", "counters", "hooks")) {
          superuser.execute("GRANT SELECT ON TABLE manx." + table + " TO " + role);
        }
        superuser.execute("GRANT SELECT ON TABLE system_views.system_properties TO " + role);
      }
      for (String table : List.of("latency", "replicas", "decision_log")) {
        superuser.execute("GRANT SELECT ON TABLE manx." + table + " TO operator");
      }
      superuser.execute("GRANT MODIFY ON TABLE manx.strategy TO operator");
      superuser.execute(
          "CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 3}");
      superuser.execute("CREATE TABLE shop.items (id int PRIMARY KEY, name text)");
      agree(superuser);
      for (int id = 0; id < 40; id++) {
        superuser.execute("INSERT INTO shop.items (id, name) VALUES (" + id + ", 'an item')");
      }
      superuser.execute("GRANT SELECT ON TABLE shop.items TO operator");
    }
  }

  /**
   * Waits until three nodes are up and agree on the schema. A statement that changes it waits only
   * for the nodes that the driver knows to be up, and not longer than ten seconds.
   */
  private static void agree(CqlSession session) {
    Waiting.until(
        "three nodes agree on the schema",
        () ->
            session.getMetadata().getNodes().values().stream()
                        .filter(node -> node.getState() == NodeState.UP)
                        .count()
                    == 3
                && session.checkSchemaAgreement());
  }

  /** A file that other users cannot read. */
  private static void secret(String name, String password) throws Exception {
    Files.setPosixFilePermissions(
        Files.writeString(WORK.resolve(name), password + "\n"),
        PosixFilePermissions.fromString("rw-------"));
  }

  private void writeFiles() throws Exception {
    Path key = Authority.pemKey(client);
    secret("right", "right");
    secret("wrong", "wrong");
    Files.writeString(
        WORK.resolve("clusters.yaml"),
        """
        secured:
          contact-points: [127.0.0.1, 127.0.0.2]
          local-dc: datacenter1
          user: operator
          password-file: %1$s
          tls: { trust: %2$s, key: %3$s, certificate: %4$s }
        anonymous:
          contact-points: [127.0.0.1]
          tls: { trust: %2$s }
        """
            .formatted(
                WORK.resolve("right"), authority.pem(), key, authority.certificate("client")));
    secret("stores", Authority.PASSWORD);
    Files.writeString(
        WORK.resolve("own.yaml"),
        """
        experiment: own
        on: own-cluster
        statements:
          page: { cql: "SELECT * FROM shop.items WHERE id IN ?", keys: [2, 5] }
        loads: [20/s]
        rounds: 1
        warm-up: 0s
        window: 2s
        sample: 20
        baseline: stock
        arms:
          stock: { mode: off }
          manx: { mode: on, strategy: manx }
          driver: { mode: off, driver: { speculative-execution: 1ms } }
        """);
  }

  /** A command on the named cluster. */
  static Command run(List<String> more, String... arguments) {
    List<String> all = new ArrayList<>(List.of("--on=secured"));
    all.add("--clusters=" + WORK.resolve("clusters.yaml"));
    all.addAll(more);
    // The password of the file is that of its user; all roles have the same.
    if (more.stream().anyMatch(option -> option.startsWith("--user="))) {
      all.add("--password-file=" + WORK.resolve("right"));
    }
    Command ended = Command.run(all, arguments);
    assertThat(ended.output()).doesNotContain("Exception", "right");
    return ended;
  }

  /** Makes all nodes present another certificate. */
  void present(Path store) throws Exception {
    Files.copy(store, STORE, StandardCopyOption.REPLACE_EXISTING);
    // Nodes look at the file's time, and it may have been copied within the same second.
    presented += 5;
    Files.setLastModifiedTime(STORE, FileTime.from(Instant.now().plusSeconds(presented)));
    for (int node = 0; node < 3; node++) {
      OneNode.<Object>jmx(
          cluster.nodes().get(node),
          server ->
              server.invoke(
                  new ObjectName("org.apache.cassandra.net:type=MessagingService"),
                  "reloadSslCertificates",
                  null,
                  null));
    }
  }

  /**
   * Waits until a node knows that another is down: until then logins may be read from the dead
   * node.
   */
  void awaitSeenDown(int by) throws Exception {
    ObjectName detector = new ObjectName("org.apache.cassandra.net:type=FailureDetector");
    String threshold = "PhiConvictThreshold";
    OneNode.<Object>jmx(
        cluster.nodes().get(by),
        server -> {
          Object usual = server.getAttribute(detector, threshold);
          // Down after some five seconds without gossip; usually it takes some twenty.
          server.setAttribute(detector, new Attribute(threshold, 2.0));
          Waiting.until("node " + (by + 1) + " knows it", () -> seesOneDown(server, detector));
          server.setAttribute(detector, new Attribute(threshold, usual));
          return null;
        });
  }

  private static boolean seesOneDown(MBeanServerConnection server, ObjectName detector) {
    try {
      return Integer.valueOf(1).equals(server.getAttribute(detector, "DownEndpointCount"));
    } catch (JMException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
