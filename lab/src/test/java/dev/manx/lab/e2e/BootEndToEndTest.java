/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import dev.manx.local.cluster.ManxHome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that boot without prerequisites of Manx. */
@OwnNodes
@Timeout(300)
class BootEndToEndTest {
  private static final Path ROOT = ManxHome.find().root();

  @TempDir Path folder;

  /** The JVM options that result from the guide's lines for cassandra-env.sh. */
  private List<String> options(String classpath) throws Exception {
    Matcher block =
        Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("docs/operate/install.md")));
    assertThat(block.find()).isTrue();
    Path script = folder.resolve("env.sh");
    Files.writeString(script, block.group(1) + "\nprintf '%s' \"$JVM_OPTS\"\n");
    ProcessBuilder sh =
        new ProcessBuilder("sh", "-eu", script.toString()).redirectErrorStream(true);
    sh.environment().put("CLASSPATH", classpath);
    sh.environment().put("JVM_OPTS", "-Dbefore=1");
    Process process = sh.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return Arrays.asList(out.split(" ", -1));
  }

  @Test
  void withoutTheJarTheGuidesLinesLeaveTheNodeStockAndItBoots() throws Exception {
    String jar = ManxHome.find().pluginJar().toString();
    assertThat(options("/c/conf:/c/lib/a.jar:" + jar + ":/c/lib/z.jar"))
        .containsExactly(
            "-Dbefore=1",
            "-Dcassandra.custom_query_handler_class=dev.manx.cassandra.ManxQueryHandler");
    List<String> without = options("/c/conf:/c/lib/a.jar:/c/lib/z.jar");
    assertThat(without).containsExactly("-Dbefore=1");
    try (JarFile plugin = new JarFile(jar)) {
      assertThat(plugin.stream().map(JarEntry::getName))
          .contains("META-INF/LICENSE", "META-INF/NOTICE");
      assertThat(plugin.getManifest().getMainAttributes().getValue("Implementation-Version"))
          .isNotBlank();
    }
    try (OneNode node = OneNode.boot(false, List.of(), Map.of(), without);
        CqlSession session = OneNode.session(null, null)) {
      assertThat(session.execute("SELECT release_version FROM system.local").one()).isNotNull();
      ownStatementsAreMeasuredBeforeManxIsInstalled(session);
      node.cluster.checkAlive();
    }
  }

  /** The baseline: the same file and command as later, with the arms that need no Manx. */
  private void ownStatementsAreMeasuredBeforeManxIsInstalled(CqlSession session) throws Exception {
    session.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("CREATE TABLE shop.items (id int PRIMARY KEY, price int)");
    for (int id = 0; id < 30; id++) {
      session.execute("INSERT INTO shop.items (id, price) VALUES (?, 1)", id);
    }
    Path file =
        Files.writeString(
            folder.resolve("own.yaml"),
            """
            experiment: own
            on: own-cluster
            statements:
              item: { cql: SELECT * FROM shop.items WHERE id = ? }
            loads: [50/s]
            rounds: 1
            warm-up: 200ms
            window: 600ms
            arms:
              stock: { mode: off }
              speculative: { mode: off, driver: { speculative-execution: 20ms } }
              manx: { mode: on, strategy: manx }
            """);
    Command refused =
        Command.run("run", file.toString(), "--on=127.0.0.1", "--out=" + folder.resolve("no"));
    assertThat(refused.code()).as(refused.output()).isNotZero();
    assertThat(refused.output())
        .contains("Manx is not on 127.0.0.1.", "manx (mode on)", "--arms stock,speculative");
    assertThat(folder.resolve("no/summary.csv")).doesNotExist();
    Path out = folder.resolve("out");
    Command ended =
        Command.run(
            "run", file.toString(), "--on=127.0.0.1", "--arms=stock,speculative", "--out=" + out);
    assertThat(ended.code()).as(ended.output()).isZero();
    OwnResults results = new OwnResults(out);
    for (String arm : List.of("stock", "speculative")) {
      assertThat(results.requests(arm)).isPositive();
      assertThat(results.failed(arm)).isZero();
    }
    assertThat(Files.readString(out.resolve("metrics.csv"))).doesNotContain("manx_");
    assertThat(Files.readString(out.resolve("report.html")))
        .contains("stock Cassandra, of which no counters and no CPU times are known");
  }

  @Test
  void aRefusedFileLeavesTheNodeStockUntilThereIsAStrategy() throws Exception {
    Path config = folder.resolve("manx.yaml");
    Files.writeString(
        config,
        """
        plugin: { mode: on }
        strategy:
          select: select.popularity-aware
          oracles: { popularity: { policy: oracle.popularity-space-saving, memory: 512MiB } }
        """);
    try (OneNode node =
            OneNode.boot(true, List.of(), Map.of(), List.of("-Dmanx.config=" + config));
        CqlSession session = OneNode.session(null, null)) {
      Map<String, String> status = OneNode.table(session, "strategy");
      assertThat(status).containsEntry("mode", "off");
      assertThat(status.get("trouble"))
          .contains(config.toString(), "strategy.oracles.popularity.memory = '512MiB' is invalid");
      for (String mode : List.of("on", "shadow")) {
        assertThatThrownBy(() -> OneNode.set(session, "mode", mode))
            .isInstanceOf(InvalidQueryException.class)
            .hasMessageContaining("or set a document");
      }
      session.execute(
          "CREATE KEYSPACE g WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE g.t (k int PRIMARY KEY, v int)");
      session.execute("SELECT v FROM g.t WHERE k IN (1, 2, 3)");
      assertThat(OneNode.table(session, "counters")).containsEntry("multigets_unpaged", "0");
      assertThat(OneNode.table(session, "hooks").values()).containsOnly("stock");
      OneNode.set(session, "document", "strategy: { select: select.lor }");
      OneNode.set(session, "mode", "on");
      session.execute("SELECT v FROM g.t WHERE k IN (1, 2, 3)");
      assertThat(OneNode.table(session, "counters")).containsEntry("multigets_unpaged", "1");
      node.cluster.checkAlive();
    }
  }
}
