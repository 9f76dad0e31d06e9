/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.ConnectSettings;
import dev.manx.load.connect.ConnectSettings.Login;
import dev.manx.load.connect.HostPort;
import dev.manx.load.connect.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An operator of the cluster {@code production}: passwords, certificates and connections, and the
 * commands, with a transcript.
 */
final class Operator {
  private static final List<String> GRANTED =
      List.of("strategy", "counters", "hooks", "latency", "replicas", "decision_log");

  private final Path work;
  private final Path transcript;
  private final Authority authority;

  private Operator(Path work) throws Exception {
    this.work = work;
    transcript = Files.createFile(work.resolve("transcript.txt"));
    authority = Authority.in(work.resolve("authority"));
  }

  /** Starts in an empty folder. */
  static Operator in(Path work) throws Exception {
    remove(work);
    Operator operator = new Operator(Files.createDirectories(work));
    operator.writeFiles();
    return operator;
  }

  private static void remove(Path folder) throws Exception {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private void writeFiles() throws Exception {
    password("admin");
    password("manx_operator");
    secret("wrong", "wrong");
    Files.writeString(
        work.resolve("own.yaml"),
        """
        experiment: own
        on: own-cluster
        statements:
          cart: { cql: "SELECT * FROM shop.carts WHERE id = ?", weight: 7 }
          carts: { cql: "SELECT * FROM shop.carts WHERE id IN ?", weight: 3, keys: [5, 20] }
        loads: [100/s]
        rounds: 6
        warm-up: 1s
        window: 4s
        baseline: stock
        arms:
          stock: { mode: off }
          manx: { mode: on, strategy: manx }
        """);
    Files.writeString(
        clusters(),
        """
        production:
          contact-points: [127.0.0.1, 127.0.0.4]
          local-dc: dc1
          user: manx_operator
          password-file: %s
          tls: { trust: %s }
        """
            .formatted(work.resolve("manx_operator"), authority.pem()));
  }

  /** The file with the connection {@code production}. */
  Path clusters() {
    return work.resolve("clusters.yaml");
  }

  private void password(String user) throws Exception {
    secret(user, user + "-1");
  }

  /** A file that other users cannot read. */
  private void secret(String name, String password) throws Exception {
    Files.setPosixFilePermissions(
        Files.writeString(work.resolve(name), password + "\n"),
        PosixFilePermissions.fromString("rw-------"));
  }

  /** The authority that signs the nodes' certificates. */
  Authority authority() {
    return authority;
  }

  /**
   * Makes the roles, which every node holds, with the permission that needs no Manx, and the load's
   * tables.
   */
  void haveRoles(OperatedNodes nodes) throws Exception {
    for (int datacenter = 1; !isReplicated(datacenter); datacenter++) {
      assertThat(datacenter).as("datacenters that may hold the first role").isLessThan(2);
    }
    nodes.nodetool(1, "repair", "--full", "system_auth");
    try (Cluster first = Cluster.connect(as("cassandra", "cassandra", 1));
        CqlSession session = first.session("QUORUM", TimeUnit.SECONDS.toNanos(30))) {
      for (String role : List.of("admin", "manx_operator")) {
        session.execute(
            "CREATE ROLE %s WITH PASSWORD = '%s-1' AND LOGIN = true AND SUPERUSER = %s"
                .formatted(role, role, role.equals("admin")));
      }
      session.execute("GRANT SELECT ON TABLE system_views.system_properties TO manx_operator");
      ShopLoad.fill(session);
      session.execute("GRANT SELECT ON TABLE shop.carts TO manx_operator");
    }
  }

  /**
   * Replicates the roles to every node. Initially only one node holds them, and only its datacenter
   * can change that.
   */
  private boolean isReplicated(int datacenter) {
    try (Cluster first = Cluster.connect(as("cassandra", "cassandra", datacenter));
        CqlSession session = first.session("QUORUM", TimeUnit.SECONDS.toNanos(30))) {
      session.execute(
          "ALTER KEYSPACE system_auth WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'dc1': 3, 'dc2': 3}");
      return true;
    } catch (UnavailableException e) {
      return false;
    }
  }

  /** A connection of a user to a datacenter, 1 or 2. */
  ConnectSettings as(String user, String password, int datacenter) {
    return new ConnectSettings(
        List.of(new HostPort("127.0.0." + (3 * datacenter - 2), 9042)),
        Optional.of("dc" + datacenter),
        Optional.of(new Login(user, password)),
        Optional.of(
            new TlsSettings(
                Optional.of(authority.pem()),
                Optional.empty(),
                Optional.empty(),
                null,
                null,
                false)),
        TimeUnit.SECONDS.toNanos(30));
  }

  /** Grants the role of the commands its permissions, on the nodes that have Manx. */
  void haveGrants() {
    try (Cluster admin = Cluster.connect(as("admin", "admin-1", 1))) {
      for (String table : GRANTED) {
        admin.members().get(0).execute("GRANT SELECT ON TABLE manx." + table + " TO manx_operator");
      }
      admin.members().get(0).execute("GRANT MODIFY ON TABLE manx.strategy TO manx_operator");
    }
  }

  /** Appends to the transcript. */
  void writeDown(String text) throws IOException {
    Files.writeString(transcript, text, StandardOpenOption.APPEND);
  }

  /** Runs a command on the cluster and records it with its answer. */
  Command manx(String... arguments) throws Exception {
    Command ended = quietly(arguments);
    writeDown(
        "$ ./manx %s --on production%n%s[exit code %d]%n%n"
            .formatted(String.join(" ", arguments), ended.output(), ended.code()));
    return ended;
  }

  /** Runs a command without recording it. */
  Command quietly(String... arguments) {
    Command ended = Command.run(List.of("--on=production", "--clusters=" + clusters()), arguments);
    assertThat(ended.output()).doesNotContain("Exception", "manx_operator-1");
    return ended;
  }

  /** Runs a command that must succeed. */
  Command succeeds(String... arguments) throws Exception {
    Command ended = manx(arguments);
    assertThat(ended.code()).as(ended.output()).isZero();
    return ended;
  }

  /** Runs a command that must fail. */
  Command fails(String... arguments) throws Exception {
    Command ended = manx(arguments);
    assertThat(ended.code()).as(ended.output()).isEqualTo(1);
    return ended;
  }
}
