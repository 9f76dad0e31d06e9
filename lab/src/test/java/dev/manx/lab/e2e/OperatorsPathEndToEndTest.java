/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.lab.RootPom;
import dev.manx.lab.docs.Dashboards;
import dev.manx.local.cluster.ManxHome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
 * operator's distribution of Cassandra boots, with logins, permissions and TLS. The output of each
 * command is in {@code .manx/operated/transcript.txt}, the pictures {@code top.svg} and, if there
 * is a Prometheus, {@code board.svg} next to it.
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
  private static final Path JAR = ManxHome.find().pluginJar();
  private static final Path EARLIER = WORK.resolve("manx-cassandra-0.0.9.jar");
  private static final Path AGENT =
      ManxHome.find().root().resolve("lab/target/jmx-exporter/jmx_prometheus_javaagent.jar");
  private static final String ADDRESSES =
      "ip:127.0.0.1,ip:127.0.0.2,ip:127.0.0.3,ip:127.0.0.4,ip:127.0.0.5,ip:127.0.0.6";
  private static final int SIXTH = 6;

  private static Operator operator;
  private static Path good;
  private static OperatedNodes nodes;
  private static ShopLoad load;
  private static PrometheusServer prometheus;
  private static TopRecording top;

  @BeforeAll
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  static void boot() throws Exception {
    operator = Operator.in(WORK);
    top = new TopRecording(WORK, operator.clusters());
    good = operator.authority().sign("good", ADDRESSES, 0, 10);
    nodes =
        new OperatedNodes(Path.of(System.getenv("MANX_CASSANDRA")), WORK, good, Authority.PASSWORD);
    nodes.start(1);
    nodes.start(4);
    nodes.start(2, 3, 5, 6);
    operator.haveRoles(nodes);
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

  @Test
  @Order(1)
  void planBeforeAnythingIsInstalled() throws Exception {
    assertThat(operator.fails("check").output())
        .contains("all 6 nodes: Cassandra 5.0", "all 6 nodes: Manx is not installed");
    assertThat(operator.fails("ctl", "status", "--password-file=" + WORK.resolve("wrong")).output())
        .contains("refused the login of user manx_operator: wrong password");
  }

  @Test
  @Order(2)
  void theFirstNodeIsInstalledAsTheGuideSays() throws Exception {
    Path home = nodes.home(1);
    Command before = Command.run("check", "--home=" + home);
    assertThat(before.code()).isEqualTo(1);
    assertThat(before.output()).contains("Manx's jar is missing");
    nodes.install(1, JAR);
    Command ready = Command.run("check", "--home=" + home);
    operator.writeDown("$ ./manx check --home " + home + "\n" + ready.output() + "\n");
    assertThat(ready.code()).as(ready.output()).isZero();
    assertThat(ready.output()).contains("valid; mode shadow", "names Manx if its jar is there");
    nodes.restart(1);
    operator.haveGrants();
    Waiting.until(
        "the grants hold",
        () ->
            operator
                .quietly("ctl", "status")
                .output()
                .matches("(?s).*127\\.0\\.0\\.1 +dc1 +shadow.*"));
    assertThat(operator.fails("ctl", "status").output())
        .contains("127.0.0.2, 127.0.0.3, ", "127.0.0.6: Manx is not on this node");
    assertThat(operator.fails("ctl", "mode", "on").output())
        .contains("nothing was changed, because 5 nodes cannot be")
        .containsPattern("127\\.0\\.0\\.1 +dc1 +shadow +shadow +left as it was");
  }

  @Test
  @Order(3)
  void theOthersFollowAndOneHasAnEarlierVersion() throws Exception {
    List<String> exporters = new ArrayList<>();
    OtherPlugin.called("0.0.9", EARLIER);
    for (int node = 2; node <= OperatedNodes.NODES; node++) {
      nodes.install(node, node == SIXTH ? EARLIER : JAR);
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
    Waiting.until("all nodes answer", () -> operator.quietly("ctl", "status").code() == 0);
    assertThat(operator.succeeds("ctl", "status").output())
        .contains("nodes differ in version: " + RootPom.version(), "; 0.0.9 on 127.0.0.6");
    assertThat(operator.succeeds("check").output())
        .contains("nodes run different versions of Manx", "all 6 nodes: mode shadow")
        .contains("all 6 nodes: this user may switch Manx")
        .doesNotContain("error  ");
  }

  @Test
  @Order(4)
  void theShadowIsWatched() throws Exception {
    load = new ShopLoad(operator.as("admin", "admin-1", 1));
    load.await(500);
    assertThat(operator.succeeds("top", "--once", "--interval=3s").output())
        .contains("strategy manx on 6 nodes")
        .containsPattern("127\\.0\\.0\\.1 +dc1 +shadow ");
    top.add(2);
    assertThat(operator.succeeds("ctl", "status").output()).doesNotContain("FAILED");
    assertThat(
            operator.succeeds("warm", "--nodes=127.0.0.3", "--within=4", "--at-most=2min").output())
        .contains("127.0.0.3 is warm");
  }

  @Test
  @Order(5)
  void adviceIsOneCommand() throws Exception {
    Command which = operator.manx("advise", "--record=20s");
    assertThat(which.code()).isEqualTo(2);
    assertThat(which.output()).contains("--dc is missing", "one of dc1, dc2");
    String logs = WORK.resolve("logs").toString();
    Command advice =
        operator.manx(
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
    assertThat(operator.succeeds("ctl", "fetch-log", "--dc=dc1", "--to=" + logs).output())
        .contains("127.0.0.3: ");
    assertThat(operator.succeeds("ctl", "status").output())
        .contains("127.0.0.1: decision log off: ");
  }

  @Test
  @Order(6)
  void aCanaryIsComparedWithItsControl() throws Exception {
    operator.succeeds("ctl", "mode", "on", "--nodes=127.0.0.1");
    assertThat(operator.succeeds("ctl", "status").output()).contains("nodes differ in mode");
    operator.succeeds("ctl", "canary", "set", "50%", "--tables=shop.carts");
    assertThat(operator.succeeds("ctl", "mode", "on", "--dc=dc2").output())
        .contains("as asked on all 3 nodes")
        .doesNotContain("dc1");
    operator.succeeds("ctl", "mode", "on");
    load.await(500);
    assertThat(operator.succeeds("ctl", "status").output())
        .contains("canary: 50% of shop.carts on all 6 nodes", "multigets of 6-20 keys");
    operator.succeeds("ctl", "canary", "show");
    operator.succeeds("top", "--once", "--interval=3s");
  }

  /** On a terminal, where the view is refreshed in place. */
  @Test
  @Order(7)
  void topIsRefreshedInPlace() throws Exception {
    top.add(6);
    assertThat(top.file()).content().contains("\u001b[", "127.0.0.6", "; P99 of shop.carts");
    draw("terminal-picture.py", top.file().toString(), "./manx top --on production", "top.svg");
  }

  /** Draws a picture of the guide into the folder of the transcript. */
  private static void draw(String tool, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("python3"));
    command.add(ManxHome.find().root().resolve("tools").resolve(tool).toString());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(WORK.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  @Test
  @Order(8)
  void everyPanelOfTheBoardHasData() throws Exception {
    assumeTrue(prometheus != null, "Prometheus is not on the path");
    List<String> queries = Dashboards.boardQueries();
    assertThat(queries).hasSizeGreaterThan(40);
    for (String query : queries) {
      load.await(1);
      Files.writeString(
          WORK.resolve("board.txt"),
          prometheus.awaitSeries(query) + "\t" + query + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
    assertThat(Files.readAllLines(WORK.resolve("board.txt")))
        .filteredOn(line -> line.startsWith("0\t"))
        .isEmpty();
    for (String query : Dashboards.rules().values()) {
      assertThat(prometheus.series(query)).as(query).isNotNegative();
    }
    draw("board-picture", "--minutes=6", "--answers=board.json", "board.svg");
    assertThat(WORK.resolve("board.svg")).content().doesNotContain("No data");
  }

  @Test
  @Order(9)
  void aPersistedSwitchOutlastsARestart() throws Exception {
    // A node of the datacenter without clients.
    String fifth = "--nodes=127.0.0.5";
    assertThat(operator.succeeds("ctl", "mode", "on", "--persist", fifth).output())
        .contains("The canary was persisted with the mode: 50% of shop.carts on 127.0.0.5.");
    nodes.restart(5);
    Waiting.until(
        "the fifth is on again",
        () ->
            operator
                .quietly("ctl", "status", fifth)
                .output()
                .matches("(?s).*127\\.0\\.0\\.5 +dc2 +on .*"));
    assertThat(operator.succeeds("ctl", "status", fifth).output())
        .contains("persisted on 127.0.0.5: mode, canary", "canary: 50% of shop.carts");
    assertThat(operator.succeeds("ctl", "reset-persisted", fifth).output())
        .containsPattern("mode, canary +nothing +as asked");
  }

  @Test
  @Order(10)
  void onIsPutIntoTheFilesAndReadAgain() throws Exception {
    operator.succeeds("ctl", "canary", "end");
    assertThat(operator.fails("ctl", "reload").output())
        .as("their files are those of the installation")
        .contains("revert", "mode on -> shadow on all 6 nodes", "--all-settings");
    for (int node = 1; node <= OperatedNodes.NODES; node++) {
      Files.writeString(
          nodes.conf(node, "manx.yaml"),
          "plugin:\n  mode: on\n  unpage-up-to: "
              + (node == 3 ? "many" : "128")
              + "\nstrategy: manx\n");
    }
    assertThat(operator.fails("ctl", "reload").output())
        .contains("127.0.0.3: REFUSED", "unpage-up-to = 'many'", "nothing was changed");
    Files.copy(
        nodes.conf(1, "manx.yaml"),
        nodes.conf(3, "manx.yaml"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(operator.succeeds("ctl", "reload", "--dry-run").output())
        .contains("plugin.unpage-up-to 256 -> 128");
    operator.succeeds("ctl", "reload");
    assertThat(operator.succeeds("check").output()).contains("all 6 nodes: mode on");
  }

  @Test
  @Order(11)
  void strategyCalmTimeAndDecisionLogAreSwitched() throws Exception {
    assertThat(operator.succeeds("ctl", "strategy", "low-fifo").output())
        .contains("as asked on all 6 nodes");
    assertThat(operator.succeeds("ctl", "status").output())
        .containsPattern("127\\.0\\.0\\.6 +dc2 +on +low-fifo ");
    operator.succeeds("ctl", "strategy", "manx");
    operator.succeeds("ctl", "calm-after", "0s");
    assertThat(operator.succeeds("ctl", "status").output())
        .contains("calm-after 0s: every request is planned")
        .containsPattern("127\\.0\\.0\\.1 +dc1 +on +manx ");
    operator.succeeds("ctl", "calm-after", "250ms");
    String first = "--nodes=127.0.0.1";
    operator.succeeds("ctl", "record", "5%", first);
    load.await(200);
    assertThat(operator.succeeds("ctl", "status").output())
        .contains("127.0.0.1: decision log on: ")
        .doesNotContain("calm-after");
    operator.succeeds("ctl", "record", "off");
    operator.succeeds("ctl", "fetch-log", first, "--to=" + WORK.resolve("decisions"));
    assertThat(WORK.resolve("decisions/127.0.0.1.log")).isNotEmptyFile();
  }

  @Test
  @Order(12)
  void aNodeThatIsDownAnExpiredCertificateAndAnUpgrade() throws Exception {
    nodes.stop(SIXTH);
    assertThat(operator.fails("ctl", "status", "--timeout=5s").output())
        .contains("127.0.0.6: unreachable: ", "nothing listens there");
    assertThat(operator.fails("ctl", "mode", "shadow", "--timeout=5s").output())
        .contains("nothing was changed, because 1 node cannot be");
    assertThat(operator.fails("ctl", "mode", "off", "--timeout=5s").output())
        .contains("as asked on 5 of 6 nodes, NOT on 1");
    operator.succeeds(
        "ctl", "mode", "on", "--nodes=127.0.0.1,127.0.0.2,127.0.0.3,127.0.0.4,127.0.0.5");

    Files.delete(nodes.home(SIXTH).resolve("lib").resolve(EARLIER.getFileName()));
    Files.copy(JAR, nodes.home(SIXTH).resolve("lib").resolve(JAR.getFileName()));
    Files.copy(
        operator.authority().sign("expired", ADDRESSES, -20, 10),
        nodes.store(SIXTH),
        StandardCopyOption.REPLACE_EXISTING);
    nodes.start(SIXTH);
    assertThat(operator.fails("ctl", "status", "--timeout=5s").output())
        .contains("127.0.0.6: unreachable: a certificate of the node has expired");
    assertThat(operator.fails("ctl", "mode", "shadow", "--timeout=5s").output())
        .contains("nothing was changed, because 1 node cannot be");
    Files.copy(good, nodes.store(SIXTH), StandardCopyOption.REPLACE_EXISTING);
    nodes.nodetool(SIXTH, "reloadssl");
    Waiting.until("the sixth answers", () -> operator.quietly("ctl", "status").code() == 0);
    assertThat(operator.succeeds("check").output())
        .contains("all 6 nodes: Manx " + RootPom.version(), "all 6 nodes: mode on")
        .doesNotContain("warning  ", "error  ");
  }

  @Test
  @Order(13)
  void statementsOfOnesOwnAreCompared() throws Exception {
    String own = WORK.resolve("own.yaml").toString();
    String fourth = "--nodes=127.0.0.4";
    operator.succeeds("ctl", "mode", "shadow", fourth);
    assertThat(operator.fails("run", own).output())
        .contains("off for stock, on for manx; restored at the end: ")
        .contains("Not every node is on", "--switch-all");
    Path out = WORK.resolve("own");
    operator.succeeds("run", own, "--switch-all", "--out=" + out);
    OwnResults results = new OwnResults(out);
    for (String arm : List.of("stock", "manx")) {
      assertThat(results.sent(arm)).as("sent by " + arm).isPositive();
      assertThat(results.failed(arm)).as("failed or timed out by " + arm).isZero();
    }
    assertThat(operator.succeeds("ctl", "status").output())
        .containsPattern("127\\.0\\.0\\.1 +dc1 +on +manx ")
        .containsPattern("127\\.0\\.0\\.4 +dc2 +shadow +manx ");
    operator.succeeds("ctl", "mode", "on", fourth);
  }

  @Test
  @Order(14)
  void offAndGone() throws Exception {
    load.await(200);
    assertThat(operator.succeeds("ctl", "off").output()).contains("as asked on all 6 nodes");
    load.await(200);
    load.close();
    load = null;
    nodes.stop(1);
    Files.delete(nodes.home(1).resolve("lib").resolve(JAR.getFileName()));
    nodes.start(1);
    Waiting.until(
        "the first is stock again",
        () -> operator.quietly("check").output().contains("127.0.0.1: Manx is not installed"));
    operator.fails("check");
  }
}
