/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * The commands on two nodes with logins, permissions and TLS, of which one goes down in the end.
 */
@OwnNodes
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SecuredClusterEndToEndTest {
  private static final Path WORK = ManxHome.find().root().resolve(".manx/secured");
  private static final Path STORE = WORK.resolve("nodes.p12");

  private static final Path PERSISTED = WORK.resolve("manx.persisted.yaml");

  private static final String ADDRESSES = "ip:127.0.0.1,ip:127.0.0.2,ip:127.0.0.3";

  private static Authority authority;
  private static Path good;
  private static Path client;
  private static LocalCluster cluster;
  private static long presented;

  @BeforeAll
  static void boot() throws Exception {
    Files.createDirectories(WORK);
    authority = Authority.in(WORK.resolve("authority"));
    good = authority.sign("good", ADDRESSES, 0, 10);
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
                                .formatted(STORE, Authority.PASSWORD)),
                List.of("-Dcassandra.superuser_setup_delay_ms=0", "-Dmanx.config=" + config)),
            ManxHome.find(),
            ManxHome.find().root().resolve(".manx/work"),
            text -> {});
    try (CqlSession superuser = OneNode.session("cassandra", "cassandra")) {
      superuser.execute(
          "ALTER KEYSPACE system_auth WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
      for (String role : List.of("operator", "looker", "stranger")) {
        superuser.execute("CREATE ROLE " + role + " WITH PASSWORD = 'right' AND LOGIN = true");
      }
      for (String role : List.of("operator", "looker")) {
        for (String table : List.of("strategy", "counters", "hooks", "latency")) {
          superuser.execute("GRANT SELECT ON TABLE manx." + table + " TO " + role);
        }
        superuser.execute("GRANT SELECT ON TABLE system_views.system_properties TO " + role);
      }
      superuser.execute("GRANT MODIFY ON TABLE manx.strategy TO operator");
      superuser.execute(
          "CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 3}");
      superuser.execute("CREATE TABLE shop.items (id int PRIMARY KEY, name text)");
      for (int id = 0; id < 40; id++) {
        superuser.execute("INSERT INTO shop.items (id, name) VALUES (" + id + ", 'an item')");
      }
      superuser.execute("GRANT SELECT ON TABLE shop.items TO operator");
    }
    client = authority.sign("client", "", 0, 10);
    Path key = Authority.pemKey(client);
    Files.writeString(WORK.resolve("right"), "right\n");
    Files.writeString(WORK.resolve("wrong"), "wrong\n");
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
    Files.writeString(WORK.resolve("stores"), Authority.PASSWORD + "\n");
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

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A command on the named cluster. */
  private static Command run(List<String> more, String... arguments) {
    List<String> all = new ArrayList<>(List.of("--on=secured"));
    all.add("--clusters=" + WORK.resolve("clusters.yaml"));
    all.addAll(more);
    Command ended = Command.run(all, arguments);
    assertThat(ended.output()).doesNotContain("Exception", "right");
    return ended;
  }

  @Test
  @Order(1)
  void anOperatorSwitchesOverTls() {
    Command check = run(List.of(), "check");
    assertThat(check.output())
        .contains("all 3 nodes: mode shadow", "all 3 nodes: this user may switch Manx")
        .doesNotContain("error  ", "warning  ");
    assertThat(check.code()).isZero();
    Command on = run(List.of(), "ctl", "mode", "on");
    assertThat(on.code()).as(on.output()).isZero();
    assertThat(on.output()).contains("as asked on all 3 nodes");
    Command top = run(List.of("--once", "--interval=1s"), "top");
    assertThat(top.code()).isZero();
    assertThat(top.output()).contains("strategy manx on 3 nodes");
    assertThat(run(List.of(), "ctl", "mode", "shadow").code()).isZero();
  }

  @Test
  @Order(2)
  void theNodesAskClientsForACertificate() throws Exception {
    Path jks = WORK.resolve("trusted.jks");
    authority.trustedBy(jks);
    for (String trust : List.of(authority.pem().toString(), jks.toString(), client.toString())) {
      Command stores =
          run(
              List.of(
                  "--tls-trust=" + trust,
                  "--tls-key=" + client,
                  "--tls-password-file=" + WORK.resolve("stores")),
              "ctl",
              "status");
      assertThat(stores.code()).as(stores.output()).isZero();
    }
    Command none =
        Command.run(
            "ctl", "status", "--on=anonymous", "--clusters=" + WORK.resolve("clusters.yaml"));
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.output()).contains("if it asks for a client's certificate", "--tls-key");
  }

  @Test
  @Order(3)
  void statementsOfOnesOwnNeedAGrantOnTheirTables() throws Exception {
    String own = WORK.resolve("own.yaml").toString();
    Command unasked = run(List.of(), "run", own);
    assertThat(unasked.code()).isEqualTo(1);
    assertThat(unasked.output())
        .contains("off for stock, on for manx, off for driver; at the end as now: shadow on all 3")
        .contains("Not every node is on", "for all requests of all clients", "--switch-all");
    Command refused = run(List.of("--user=looker", "--switch-all"), "run", own);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.output())
        .contains("statement page is refused", "no SELECT permission on <table shop.items>")
        .contains("GRANT SELECT ON TABLE shop.items TO looker");
    Path out = Files.createTempDirectory(WORK, "own");
    Command measured = run(List.of("--switch-all", "--out=" + out.resolve("results")), "run", own);
    assertThat(measured.code()).as(measured.output()).isZero();
    List<String> rows = Files.readAllLines(out.resolve("results/summary.csv"));
    assertThat(rows)
        .filteredOn(row -> row.matches("own,(stock|manx|driver),all,20/s,1,\\d+,[1-9]\\d*,0,.*"))
        .as(String.join("\n", rows))
        .hasSize(3);
    assertThat(run(List.of(), "ctl", "status").output()).containsPattern("shadow +manx ");
  }

  @Test
  @Order(4)
  void aReadOnlyUserIsToldTheMissingGrant() {
    Command refused = run(List.of("--user=looker"), "ctl", "mode", "on");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.output())
        .contains("GRANT MODIFY ON TABLE manx.strategy TO looker", "NOT on 3")
        .containsPattern("127\\.0\\.0\\.1 +datacenter1 +shadow +shadow +REFUSED");
    Command check = run(List.of("--user=looker"), "check");
    assertThat(check.code()).isZero();
    assertThat(check.output()).contains("this user may look and may not switch Manx");
    Command stranger = run(List.of("--user=stranger"), "ctl", "mode", "on");
    assertThat(stranger.code()).isEqualTo(1);
    assertThat(stranger.output()).contains("this user may not see it", "nothing was changed");
    Command log = run(List.of("--to=" + WORK.resolve("logs")), "ctl", "fetch-log");
    assertThat(log.code()).isEqualTo(1);
    assertThat(log.output())
        .contains("nothing was fetched", "127.0.0.3 does not let this user read its log")
        .contains("GRANT SELECT ON TABLE manx.decision_log");
  }

  @Test
  @Order(5)
  void aWrongPasswordAndNoneAtAllAreNamed() {
    Command wrong = run(List.of("--password-file=" + WORK.resolve("wrong")), "ctl", "status");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.output()).contains("refused the login of user operator: wrong password");
    Command none = Command.run("ctl", "status", "--on=127.0.0.1");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.output()).contains("asks for a login: give --user and --password-file");
  }

  @Test
  @Order(6)
  @EnabledIfEnvironmentVariable(
      named = "MANX_FULL",
      matches = "1",
      disabledReason = "./test --full has nodes show other certificates")
  void certificatesThatCannotBeTrustedAreNamed() throws Exception {
    Authority other = Authority.in(WORK.resolve("other"));
    Command untrusted = run(List.of("--tls-trust=" + other.pem()), "ctl", "status");
    assertThat(untrusted.code()).isEqualTo(1);
    assertThat(untrusted.output()).contains("signed by no authority that " + other.pem());

    present(authority.sign("expired", ADDRESSES, -20, 10));
    Command expired = run(List.of(), "ctl", "status");
    assertThat(expired.code()).isEqualTo(1);
    assertThat(expired.output()).contains("a certificate of the node has expired");

    present(authority.sign("elsewhere", "ip:10.9.8.7", 0, 10));
    Command elsewhere = run(List.of(), "ctl", "status");
    assertThat(elsewhere.code()).isEqualTo(1);
    assertThat(elsewhere.output()).contains("for another host", "--tls-any-host");
    assertThat(run(List.of("--tls-any-host"), "ctl", "status").code()).isZero();

    present(good);
    assertThat(run(List.of(), "ctl", "status").code()).isZero();
  }

  /** All nodes show another certificate from now on. */
  private static void present(Path store) throws Exception {
    Files.copy(store, STORE, StandardCopyOption.REPLACE_EXISTING);
    // Nodes look at the file's time, and it may have been copied within the same second.
    presented += 5;
    Files.setLastModifiedTime(STORE, FileTime.from(Instant.now().plusSeconds(presented)));
    for (int node = 0; node < 3; node++) {
      jmx(
          node,
          server ->
              server.invoke(
                  new ObjectName("org.apache.cassandra.net:type=MessagingService"),
                  "reloadSslCertificates",
                  null,
                  null));
    }
  }

  @SuppressWarnings("BanJNDI") // JMX on loopback
  private static <T> T jmx(int node, OneNode.Jmx<T> question) throws Exception {
    int port = cluster.nodes().get(node).jmxPort();
    String url = "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi";
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
      return question.ask(connector.getMBeanServerConnection());
    }
  }

  /** Until then logins may be read from the dead node. */
  private static void awaitSeenDown(int by) throws Exception {
    ObjectName detector = new ObjectName("org.apache.cassandra.net:type=FailureDetector");
    String threshold = "PhiConvictThreshold";
    SecuredClusterEndToEndTest.<Object>jmx(
        by,
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

  @Test
  @Order(7)
  void nodesReadTheirFileAgainOrNoneOfThemDoes() throws Exception {
    Path config = WORK.resolve("manx.yaml");
    Files.writeString(config, "plugin:\n  mode: shadow\n  unpage-up-to: many\nstrategy: manx\n");
    Command refused = run(List.of(), "ctl", "reload");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.output())
        .contains("all 3 nodes: REFUSED: " + config + ":3: plugin.unpage-up-to = 'many'")
        .contains("from 0 to 100000", "nothing was changed");
    Files.writeString(
        config,
        "plugin: { mode: shadow, unpage-up-to: 64, nodes: 99, breaker: { failures: 3 } }\n"
            + "strategy: c3\n");
    Command looker = run(List.of("--user=looker"), "ctl", "reload");
    assertThat(looker.code()).isEqualTo(1);
    assertThat(looker.output()).contains("GRANT MODIFY ON TABLE manx.strategy TO looker");
    Command dry = run(List.of("--dry-run"), "ctl", "reload");
    assertThat(dry.code()).as(dry.output()).isZero();
    assertThat(run(List.of(), "ctl", "status").output()).containsPattern("shadow +manx ");
    Command back = run(List.of(), "ctl", "reload");
    assertThat(back.code()).isEqualTo(1);
    assertThat(back.output())
        .contains("nothing was changed", "take back", "strategy on all 3 nodes", "--all-settings");
    assertThat(run(List.of(), "ctl", "status").output()).containsPattern("shadow +manx ");
    Command reload = run(List.of("--all-settings"), "ctl", "reload");
    assertThat(reload.code()).as(reload.output()).isZero();
    assertThat(reload.output())
        .contains("plugin.unpage-up-to 256 -> 64", "plugin.breaker.failures 10 -> 3", "strategy [")
        .contains("needs a restart: plugin.nodes 1024 -> 99", "reload: done on all 3 nodes");
    assertThat(run(List.of(), "ctl", "status").output()).containsPattern("shadow +c3 ");
    Command again = run(List.of("--dry-run"), "ctl", "reload");
    assertThat(again.output()).contains("nothing changes; needs a restart: plugin.nodes");
    run(List.of(), "ctl", "mode", "off");
    Command off = run(List.of(), "ctl", "reload");
    assertThat(off.output()).contains("mode stays off, though the configuration says shadow");
    Files.writeString(config, "plugin: { mode: shadow }\nstrategy: manx\n");
    assertThat(run(List.of("--all-settings"), "ctl", "reload").code()).isZero();
    assertThat(run(List.of(), "ctl", "mode", "shadow").code()).isZero();
  }

  /** The nodes share a folder here, so only one of them persists. */
  @Test
  @Order(8)
  void persistedSettingsSurviveARestartUntilTheyAreSwitchedOff() {
    List<String> third = List.of("--nodes=127.0.0.3");
    Command refused =
        run(List.of("--nodes=127.0.0.3", "--user=looker", "--persist"), "ctl", "mode", "on");
    assertThat(refused.output()).contains("REFUSED");
    assertThat(PERSISTED).doesNotExist();
    Command on = run(List.of("--nodes=127.0.0.3", "--persist"), "ctl", "mode", "on");
    assertThat(on.code()).as(on.output()).isZero();
    assertThat(on.output()).contains("Persisted: it holds after a restart");
    assertThat(
            run(
                    List.of("--nodes=127.0.0.3", "--persist", "--tables=system_auth.roles"),
                    "ctl",
                    "canary",
                    "set",
                    "25%")
                .code())
        .isZero();
    cluster.kill(2);
    cluster.restart(2, true);
    Waiting.until(
        "the node is on again",
        () ->
            run(third, "ctl", "status").output().contains("persisted on 127.0.0.3: mode, canary"));
    assertThat(run(third, "ctl", "canary", "show").output())
        .containsPattern("127\\.0\\.0\\.3 +datacenter1 +on +25% of system_auth.roles");
    assertThat(run(List.of(), "check").output()).contains("127.0.0.3: persisted: mode, canary");
    Command shadow = run(third, "ctl", "mode", "shadow");
    assertThat(shadow.output())
        .contains("Another one is persisted, and returns at a restart, on 127.0.0.3 (on)");
    assertThat(run(third, "ctl", "mode", "off").code()).isZero();
    assertThat(run(third, "ctl", "status").output())
        .contains("persisted on 127.0.0.3: canary since");
    Command reset = run(third, "ctl", "reset-persisted");
    assertThat(reset.code()).as(reset.output()).isZero();
    assertThat(reset.output()).containsPattern("canary +nothing +as asked");
    assertThat(PERSISTED).doesNotExist();
    assertThat(run(third, "ctl", "canary", "end").code()).isZero();
  }

  @Test
  @Order(9)
  @EnabledIfEnvironmentVariable(
      named = "MANX_FULL",
      matches = "1",
      disabledReason = "./test --full loses a node and boots it without Manx")
  void aNodeThatIsDownAndOneWithoutManxChangeNothingButOff() throws Exception {
    assertThat(run(List.of(), "ctl", "mode", "shadow").code()).isZero();
    cluster.kill(2);
    awaitSeenDown(0);
    awaitSeenDown(1);
    Command status = run(List.of("--timeout=5s"), "ctl", "status");
    assertThat(status.code()).isEqualTo(1);
    assertThat(status.output()).contains("127.0.0.3: unreachable: ", "nothing listens there");
    Command on = run(List.of("--timeout=5s"), "ctl", "mode", "on");
    assertThat(on.code()).isEqualTo(1);
    assertThat(on.output())
        .containsPattern("127\\.0\\.0\\.1 +datacenter1 +shadow +shadow +left as it was")
        .contains("nothing was changed");
    Command some = run(List.of("--timeout=5s", "--some"), "ctl", "mode", "on");
    assertThat(some.code()).isEqualTo(1);
    assertThat(some.output()).contains("as asked on 2 of 3 nodes, NOT on 1");
    Command off = run(List.of("--timeout=5s"), "ctl", "mode", "off");
    assertThat(off.code()).isEqualTo(1);
    assertThat(off.output()).containsPattern("127\\.0\\.0\\.1 +datacenter1 +on +off +as asked");

    cluster.restart(2, false);
    Waiting.until(
        "the other node answers",
        () -> run(List.of(), "ctl", "status").output().contains("Manx is not on this node"));
    Command check = run(List.of(), "check");
    assertThat(check.code()).isEqualTo(1);
    assertThat(check.output()).contains("127.0.0.3: Manx is not there", "docs/operate/install.md");
    Command mode = run(List.of(), "ctl", "mode", "shadow");
    assertThat(mode.code()).isEqualTo(1);
    assertThat(mode.output()).contains("nothing was changed, because 1 node cannot be");
  }
}
