/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import dev.manx.lab.docs.Dashboards;
import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.ConnectSettings;
import dev.manx.load.connect.ConnectSettings.Login;
import dev.manx.load.connect.HostPort;
import dev.manx.load.connect.TlsSettings;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * The path of docs/operate/operate.md, step by step, on six nodes in two datacenters that an
 * operator's distribution of Cassandra boots, with logins, permissions and TLS. What each command
 * printed is in {@code .manx/operated/transcript.txt}.
 */
@OwnNodes
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@EnabledIfEnvironmentVariable(
    named = "MANX_CASSANDRA",
    matches = ".+",
    disabledReason = "MANX_CASSANDRA names an unpacked distribution of Apache Cassandra 5.0")
class OperatorsPathEndToEndTest {
  private static final Path WORK = ManxHome.find().root().resolve(".manx/operated");
  private static final Path TRANSCRIPT = WORK.resolve("transcript.txt");
  private static final Path JAR = ManxHome.find().pluginJar();
  private static final Path AGENT =
      ManxHome.find().root().resolve("lab/target/jmx-exporter/jmx_prometheus_javaagent.jar");
  private static final String ADDRESSES =
      "ip:127.0.0.1,ip:127.0.0.2,ip:127.0.0.3,ip:127.0.0.4,ip:127.0.0.5,ip:127.0.0.6";
  private static final int SIXTH = 6;
  private static final List<String> GRANTED =
      List.of("strategy", "counters", "hooks", "latency", "replicas", "decision_log");

  private static Authority authority;
  private static Path good;
  private static OperatedNodes nodes;
  private static ShopLoad load;
  private static PrometheusServer prometheus;

  @BeforeAll
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  static void boot() throws Exception {
    remove(WORK);
    Files.createDirectories(WORK);
    Files.createFile(TRANSCRIPT);
    authority = Authority.in(WORK.resolve("authority"));
    good = authority.sign("good", ADDRESSES, 0, 10);
    nodes =
        new OperatedNodes(Path.of(System.getenv("MANX_CASSANDRA")), WORK, good, Authority.PASSWORD);
    nodes.start(1);
    nodes.start(4);
    nodes.start(2, 3, 5, 6);
    password("admin");
    password("manx_operator");
    Files.writeString(WORK.resolve("wrong"), "wrong\n");
    Files.writeString(
        WORK.resolve("clusters.yaml"),
        """
        production:
          contact-points: [127.0.0.1, 127.0.0.4]
          local-dc: dc1
          user: manx_operator
          password-file: %s
          tls: { trust: %s }
        """
            .formatted(WORK.resolve("manx_operator"), authority.pem()));
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
      ShopLoad.fill(session);
    }
  }

  /**
   * Has every node hold the roles. The first one is in one node's hands, and only its datacenter
   * can change that.
   */
  private static boolean isReplicated(int datacenter) {
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

  private static void remove(Path folder) throws Exception {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private static void password(String user) throws Exception {
    Files.writeString(WORK.resolve(user), user + "-1\n");
  }

  private static ConnectSettings as(String user, String password, int datacenter) {
    return new ConnectSettings(
        List.of(new HostPort("127.0.0." + (3 * datacenter - 2), 9042)),
        Optional.of("dc" + datacenter),
        Optional.of(new Login(user, password)),
        Optional.of(
            new TlsSettings(
                Optional.of(authority.pem()), Optional.empty(), Optional.empty(), null, false)),
        TimeUnit.SECONDS.toNanos(30));
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      if (load != null) {
        load.close();
      }
    } finally {
      if (prometheus != null) {
        prometheus.close();
      }
      if (nodes != null) {
        nodes.close();
      }
    }
  }

  /** A command on the cluster, written down with its answer. */
  private static Command manx(String... arguments) throws Exception {
    Command ended = quietly(arguments);
    Files.writeString(
        TRANSCRIPT,
        "$ ./manx %s --on production%n%s[exit code %d]%n%n"
            .formatted(String.join(" ", arguments), ended.output(), ended.code()),
        StandardOpenOption.APPEND);
    return ended;
  }

  private static Command quietly(String... arguments) {
    Command ended =
        Command.run(
            List.of("--on=production", "--clusters=" + WORK.resolve("clusters.yaml")), arguments);
    assertThat(ended.output()).doesNotContain("Exception", "manx_operator-1");
    return ended;
  }

  private static Command succeeds(String... arguments) throws Exception {
    Command ended = manx(arguments);
    assertThat(ended.code()).as(ended.output()).isZero();
    return ended;
  }

  private static Command fails(String... arguments) throws Exception {
    Command ended = manx(arguments);
    assertThat(ended.code()).as(ended.output()).isEqualTo(1);
    return ended;
  }

  @Test
  @Order(1)
  void planBeforeAnythingIsInstalled() throws Exception {
    assertThat(fails("check").output())
        .contains("all 6 nodes: Cassandra 5.0", "all 6 nodes: Manx is not there");
    assertThat(fails("ctl", "status", "--password-file=" + WORK.resolve("wrong")).output())
        .contains("refused the login of user manx_operator: wrong password");
  }

  @Test
  @Order(2)
  void theFirstNodeIsInstalledAsTheGuideSays() throws Exception {
    Path home = nodes.home(1);
    Command before = Command.run("check", "--home=" + home);
    assertThat(before.code()).isEqualTo(1);
    assertThat(before.output()).contains("Manx's jar is not there");
    nodes.install(1, JAR);
    Command ready = Command.run("check", "--home=" + home);
    Files.writeString(TRANSCRIPT, ready.output() + "\n", StandardOpenOption.APPEND);
    assertThat(ready.code()).as(ready.output()).isZero();
    assertThat(ready.output()).contains("valid; mode shadow", "names Manx if its jar is there");
    nodes.restart(1);
    try (Cluster admin = Cluster.connect(as("admin", "admin-1", 1))) {
      for (String table : GRANTED) {
        admin.members().get(0).execute("GRANT SELECT ON TABLE manx." + table + " TO manx_operator");
      }
      admin
          .members()
          .get(0)
          .execute("GRANT SELECT ON TABLE system_views.system_properties TO manx_operator");
      admin.members().get(0).execute("GRANT MODIFY ON TABLE manx.strategy TO manx_operator");
    }
    Waiting.until(
        "the grants hold",
        () -> quietly("ctl", "status").output().matches("(?s).*127\\.0\\.0\\.1 +dc1 +shadow.*"));
    assertThat(fails("ctl", "status").output()).contains("127.0.0.2: Manx is not on this node");
    assertThat(fails("ctl", "mode", "on").output())
        .contains("nothing was changed, because 5 nodes cannot be")
        .containsPattern("127\\.0\\.0\\.1 +dc1 +shadow +shadow +left as it was");
  }

  @Test
  @Order(3)
  void theOthersFollowAndOneHasAnEarlierVersion() throws Exception {
    List<String> exporters = new ArrayList<>();
    for (int node = 2; node <= OperatedNodes.NODES; node++) {
      nodes.install(node, node == SIXTH ? earlier() : JAR);
      exporters.add(nodes.export(node, AGENT, Dashboards.FOLDER.resolve("jmx-exporter.yaml")));
    }
    // One of each datacenter at a time.
    nodes.restart(2, 4);
    nodes.restart(3, 5);
    nodes.restart(SIXTH);
    Optional<Path> program = PrometheusServer.program();
    if (program.isPresent()) {
      prometheus = PrometheusServer.start(program.get(), WORK.resolve("prometheus"), exporters);
    }
    Waiting.until("all nodes answer", () -> quietly("ctl", "status").code() == 0);
    assertThat(succeeds("ctl", "status").output())
        .contains("nodes differ in version: 0.1.0 on ", "; 0.0.9 on 127.0.0.6");
    assertThat(succeeds("check").output())
        .contains("nodes run different versions of Manx", "all 6 nodes: mode shadow")
        .contains("all 6 nodes: this user may switch Manx")
        .doesNotContain("error  ");
  }

  /** The same jar, which calls itself an earlier version. */
  private static Path earlier() throws Exception {
    Path earlier = WORK.resolve("manx-cassandra-0.0.9.jar");
    try (JarFile jar = new JarFile(JAR.toFile())) {
      Manifest manifest = new Manifest(jar.getManifest());
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "0.0.9");
      try (OutputStream file = Files.newOutputStream(earlier);
          JarOutputStream out = new JarOutputStream(file, manifest)) {
        for (JarEntry entry : jar.stream().toList()) {
          if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
            out.putNextEntry(new JarEntry(entry.getName()));
            jar.getInputStream(entry).transferTo(out);
            out.closeEntry();
          }
        }
      }
    }
    return earlier;
  }

  @Test
  @Order(4)
  void theShadowIsWatched() throws Exception {
    load = new ShopLoad(as("admin", "admin-1", 1));
    load.await(500);
    assertThat(succeeds("top", "--once", "--interval=3s").output())
        .contains("strategy manx on 6 nodes")
        .containsPattern("127\\.0\\.0\\.1 +dc1 +shadow ");
    assertThat(succeeds("ctl", "status").output()).doesNotContain("FAILED");
    assertThat(succeeds("warm", "--nodes=127.0.0.3", "--within=4", "--at-most=2min").output())
        .contains("127.0.0.3 is warm");
  }

  @Test
  @Order(5)
  void adviceIsOneCommand() throws Exception {
    Command which = manx("advise", "--record=20s");
    assertThat(which.code()).isEqualTo(2);
    assertThat(which.output()).contains("--dc is missing", "one of dc1, dc2");
    String logs = WORK.resolve("logs").toString();
    Command advice =
        manx(
            "advise",
            "--dc=dc1",
            "--record=30s",
            "--logs=" + logs,
            "--out=" + WORK.resolve("advice"),
            "--strategies=manx,low-fifo",
            "--loads=125%",
            "--requests=5000");
    assertThat(advice.code()).as(advice.output()).isBetween(0, 1);
    for (int node = 1; node <= 3; node++) {
      assertThat(WORK.resolve("logs/127.0.0." + node + ".log")).isNotEmptyFile();
    }
    assertThat(succeeds("ctl", "fetch-log", "--dc=dc1", "--to=" + logs).output())
        .contains("127.0.0.3: ");
    assertThat(succeeds("ctl", "status").output()).contains("127.0.0.1: decision log off: ");
  }

  @Test
  @Order(6)
  void aCanaryIsComparedWithItsControl() throws Exception {
    succeeds("ctl", "mode", "on", "--nodes=127.0.0.1");
    assertThat(succeeds("ctl", "status").output()).contains("nodes differ in mode");
    succeeds("ctl", "canary", "set", "50%", "--tables=shop.carts");
    assertThat(succeeds("ctl", "mode", "on", "--dc=dc2").output())
        .contains("as asked on all 3 nodes")
        .doesNotContain("dc1");
    succeeds("ctl", "mode", "on");
    load.await(500);
    assertThat(succeeds("ctl", "status").output())
        .contains("canary: 50% of shop.carts on all 6 nodes", "multigets of 6-20 keys");
    succeeds("ctl", "canary", "show");
    succeeds("top", "--once", "--interval=3s");
  }

  /** On a terminal, where the view is refreshed in place. */
  @Test
  @Order(7)
  void topIsRefreshedInPlace() throws Exception {
    Path recording = WORK.resolve("top.typescript");
    String top =
        "%s top --on production --clusters %s --interval 2s"
            .formatted(ManxHome.find().root().resolve("manx"), WORK.resolve("clusters.yaml"));
    Process script =
        new ProcessBuilder("timeout", "240", "script", "-qfec", top, recording.toString())
            .redirectErrorStream(true)
            .redirectOutput(WORK.resolve("top.txt").toFile())
            .start();
    try {
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
      while (frames(recording) < 6) {
        assertThat(script.isAlive() && System.nanoTime() < deadline)
            .as(() -> frames(recording) + " of six frames")
            .isTrue();
        Thread.sleep(200);
      }
    } finally {
      script.destroy();
      assertThat(script.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(Files.readString(recording)).contains("\u001b[", "127.0.0.6");
  }

  private static int frames(Path recording) {
    try {
      return Files.exists(recording)
          ? Files.readString(recording).split("strategy manx on 6 nodes", -1).length - 1
          : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @Order(8)
  void everyPanelOfTheBoardHasData() throws Exception {
    assumeTrue(prometheus != null, "Prometheus is not on the path");
    List<String> queries = Dashboards.boardQueries();
    assertThat(queries).hasSizeGreaterThan(40);
    for (String query : queries) {
      load.await(1);
      List<Integer> series = new ArrayList<>();
      try {
        Waiting.until(
            query,
            () -> {
              try {
                series.add(prometheus.series(query));
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return series.get(series.size() - 1) > 0 || series.size() > 3;
            });
      } finally {
        Files.writeString(
            WORK.resolve("board.txt"),
            series.get(series.size() - 1) + "\t" + query + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      }
    }
    assertThat(Files.readAllLines(WORK.resolve("board.txt")))
        .filteredOn(line -> line.startsWith("0\t"))
        .isEmpty();
    for (String query : Dashboards.alerts().values()) {
      assertThat(prometheus.series(query)).as(query).isNotNegative();
    }
  }

  @Test
  @Order(9)
  void onIsPutIntoTheFilesAndReadAgain() throws Exception {
    succeeds("ctl", "canary", "end");
    assertThat(fails("ctl", "reload").output())
        .as("their files are those of the installation")
        .contains("take back", "mode on -> shadow on all 6 nodes", "--all-settings");
    for (int node = 1; node <= OperatedNodes.NODES; node++) {
      Files.writeString(
          nodes.conf(node, "manx.yaml"),
          "plugin:\n  mode: on\n  unpage-up-to: "
              + (node == 3 ? "many" : "128")
              + "\nstrategy: manx\n");
    }
    assertThat(fails("ctl", "reload").output())
        .contains("127.0.0.3: REFUSED", "unpage-up-to = 'many'", "nothing was changed");
    Files.copy(
        nodes.conf(1, "manx.yaml"),
        nodes.conf(3, "manx.yaml"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(succeeds("ctl", "reload", "--dry-run").output())
        .contains("plugin.unpage-up-to 256 -> 128");
    succeeds("ctl", "reload");
    assertThat(succeeds("check").output()).contains("all 6 nodes: mode on");
  }

  @Test
  @Order(10)
  void aNodeThatIsDownAnExpiredCertificateAndAnUpgrade() throws Exception {
    nodes.stop(SIXTH);
    assertThat(fails("ctl", "status", "--timeout=5s").output())
        .contains("127.0.0.6: unreachable: ", "nothing listens there");
    assertThat(fails("ctl", "mode", "shadow", "--timeout=5s").output())
        .contains("nothing was changed, because 1 node cannot be");
    assertThat(fails("ctl", "mode", "off", "--timeout=5s").output())
        .contains("as asked on 5 of 6 nodes, NOT on 1");
    succeeds("ctl", "mode", "on", "--nodes=127.0.0.1,127.0.0.2,127.0.0.3,127.0.0.4,127.0.0.5");

    Files.delete(nodes.home(SIXTH).resolve("lib/manx-cassandra-0.0.9.jar"));
    Files.copy(JAR, nodes.home(SIXTH).resolve("lib").resolve(JAR.getFileName()));
    Files.copy(
        authority.sign("expired", ADDRESSES, -20, 10),
        nodes.store(SIXTH),
        StandardCopyOption.REPLACE_EXISTING);
    nodes.start(SIXTH);
    assertThat(fails("ctl", "status", "--timeout=5s").output())
        .contains("127.0.0.6: unreachable: a certificate of the node has expired");
    assertThat(fails("ctl", "mode", "shadow", "--timeout=5s").output())
        .contains("nothing was changed, because 1 node cannot be");
    Files.copy(good, nodes.store(SIXTH), StandardCopyOption.REPLACE_EXISTING);
    nodes.nodetool(SIXTH, "reloadssl");
    Waiting.until("the sixth answers", () -> quietly("ctl", "status").code() == 0);
    assertThat(succeeds("check").output())
        .contains("all 6 nodes: Manx 0.1.0", "all 6 nodes: mode on")
        .doesNotContain("warning  ", "error  ");
  }

  @Test
  @Order(11)
  void offAndGone() throws Exception {
    load.await(200);
    assertThat(succeeds("ctl", "mode", "off").output()).contains("as asked on all 6 nodes");
    load.await(200);
    load.close();
    load = null;
    nodes.stop(1);
    Files.delete(nodes.home(1).resolve("lib").resolve(JAR.getFileName()));
    nodes.start(1);
    Waiting.until(
        "the first is stock again",
        () -> quietly("check").output().contains("127.0.0.1: Manx is not there"));
    fails("check");
  }
}
