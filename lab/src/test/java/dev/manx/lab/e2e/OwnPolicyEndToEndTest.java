/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.manx.local.cluster.ManxHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stranger follows {@code docs/embed/add-your-own-policy.md}. */
@SharedNodes
class OwnPolicyEndToEndTest {
  private static final Path ROOT = ManxHome.find().root();
  private static final String STRATEGY =
      "strategy: { select: { policy: select.reported-queue, max-age: 100ms },"
          + " facts: [pending-reads] }";

  @TempDir Path folder;

  @Test
  void theCommandsOfTheGuideBuildTestAndPlayIt() throws Exception {
    Matcher blocks =
        Pattern.compile("```bash\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("docs/embed/add-your-own-policy.md")));
    String commands = blocks.results().map(block -> block.group(1)).collect(Collectors.joining());
    assertThat(commands).contains("install", "verify", "./manx run");
    // Apart from the user's own repository, whose libraries it takes.
    Path local = ROOT.resolve(".manx/own-policy/repository");
    Path results = folder.resolve("results");
    String script =
        "set -euo pipefail\n"
            + commands.replace("own-policy.yaml", "own-policy.yaml --out " + results);
    ProcessBuilder bash =
        new ProcessBuilder("bash", "-c", script)
            .directory(ROOT.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
    bash.environment()
        .put(
            "MAVEN_ARGS",
            "-Dspotless.check.skip=true -Dmaven.repo.local=%s -Dmaven.repo.local.tail=%s"
                .formatted(local, Path.of(System.getProperty("user.home"), ".m2/repository")));
    Process process = bash.start();
    boolean ended = process.waitFor(10, TimeUnit.MINUTES);
    process.destroyForcibly();
    String output = Files.readString(folder.resolve("output"));
    assertThat(ended).as(output).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    assertThat(output).containsPattern("select\\.reported-queue +fewest reads waiting");
    assertThat(Files.readString(results.resolve("summary.csv"))).contains(",reported-queue,all,");
    Path reports = OwnPolicy.PROJECT.resolve("target/surefire-reports");
    assertThat(reports.resolve("example.ReportedQueueContractTest.txt"))
        .content()
        .containsPattern("Tests run: [1-9].*Failures: 0, Errors: 0, Skipped: 0");
  }

  @Test
  void aNodeFindsThePolicyInAJarBesideThePlugins(ThreeNodes nodes) {
    nodes.admin().execute(nodes.admin().nodes().get(0), SCHEMA);
    nodes.admin().execute(nodes.admin().nodes().get(0), TABLE);
    for (int key = 0; key < 6; key++) {
      nodes
          .session()
          .driver()
          .execute(
              SimpleStatement.newInstance("INSERT INTO own.t (k) VALUES (?)", "k" + key)
                  .setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
    nodes.set("document", STRATEGY);
    nodes.set("mode", "on");
    assertThat(nodes.table(0, "manx.strategy", "value"))
        .containsEntry("policy.select", "select.reported-queue");
    long before = counter(nodes, "select_decisions");
    long faults = counter(nodes, "faults");
    for (int i = 0; i < 20; i++) {
      assertThat(
              nodes
                  .admin()
                  .rows(
                      nodes.admin().nodes().get(0),
                      "SELECT k FROM own.t WHERE k IN ('k0', 'k1', 'k2', 'k3', 'k4', 'k5')"))
          .hasSize(6);
    }
    assertThat(counter(nodes, "select_decisions") - before).isGreaterThanOrEqualTo(120);
    assertThat(counter(nodes, "select_changed")).isPositive();
    assertThat(counter(nodes, "faults")).isEqualTo(faults);
  }

  @AfterEach
  void off(ThreeNodes nodes) {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  private static long counter(ThreeNodes nodes, String name) {
    return Long.parseLong(nodes.table(0, "manx.counters", "value").get(name));
  }

  private static final String SCHEMA =
      "CREATE KEYSPACE IF NOT EXISTS own WITH replication ="
          + " {'class': 'SimpleStrategy', 'replication_factor': 3}";
  private static final String TABLE = "CREATE TABLE IF NOT EXISTS own.t (k text PRIMARY KEY)";
}
