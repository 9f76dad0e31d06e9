/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An experiment with user-defined statements, on nodes that all have the plugin. */
@SharedNodes
@Timeout(300)
class OwnStatementsEndToEndTest {
  private static final String ON = "--on=127.0.0.11";
  private static final int MOST_RUNS = 5;

  @TempDir private Path folder;
  private ThreeNodes nodes;

  @BeforeEach
  void fixture(ThreeNodes fixture) {
    nodes = fixture;
  }

  @AfterEach
  void off() {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  /** A table of the test's own, and an experiment with it. */
  private Path ownExperiment(String window) throws Exception {
    var node = nodes.admin().nodes().get(0);
    nodes
        .admin()
        .execute(
            node,
            "CREATE KEYSPACE IF NOT EXISTS shop WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    nodes
        .admin()
        .execute(
            node,
            "CREATE TABLE IF NOT EXISTS shop.items"
                + " (id int, place text, price int, PRIMARY KEY ((id, place)))");
    for (int id = 0; id < 60; id++) {
      nodes
          .admin()
          .execute(
              node, "INSERT INTO shop.items (id, place, price) VALUES (?, 'here', ?)", id, -id);
    }
    return Files.writeString(
        folder.resolve("own.yaml"),
        """
        experiment: own
        on: own-cluster
        quick: true
        statements:
          item: { cql: SELECT * FROM shop.items WHERE id = ? AND place = ?, weight: 2 }
          page: { cql: "SELECT * FROM shop.items WHERE id IN ? AND place = ?", keys: [5, 20] }
        loads: [50/s]
        rounds: 1
        warm-up: 1500ms
        window: %s
        arms:
          stock: { mode: off, driver: { slow-avoidance: off } }
          manx: { mode: on, strategy: manx }
        """
            .formatted(window));
  }

  @Test
  void ownStatementsRunOnAClusterThatKeepsItsModes() throws Exception {
    Path file = ownExperiment("2s");
    Command.run("ctl", "strategy", "c3", ON);
    Command kept = Command.run("ctl", "mode", "shadow", ON, "--nodes=127.0.0.12", "--persist");
    assertThat(kept.code()).as(kept.output()).isZero();
    OwnResults results = run(file, 1);
    // A pause of the machine at the start of the window puts requests on its other side.
    for (int tries = 2; tries <= MOST_RUNS && !countersAreOfTheWindow(results); tries++) {
      results = run(file, tries);
    }
    assertThat(countersAreOfTheWindow(results))
        .as(
            "%s requests sent in the window, %s planned",
            results.sent("manx"), results.metric("manx", "manx_requests_planned"))
        .isTrue();
    assertThat(Command.run("ctl", "status", ON).output())
        .contains("persisted on 127.0.0.12: mode since");
    assertThat(Command.run("ctl", "reset-persisted", ON).code()).isZero();
  }

  private OwnResults run(Path file, int number) throws Exception {
    Path out = folder.resolve("out" + number);
    Command ended = Command.run("run", file.toString(), ON, "--switch-all", "--out=" + out);
    assertThat(ended.code()).as(ended.output()).isZero();
    assertThat(nodes.status("mode")).containsExactly("off", "shadow", "off");
    assertThat(nodes.status("policy.select")).containsOnly("select.c3");
    OwnResults results = new OwnResults(out);
    for (String arm : List.of("stock", "manx")) {
      assertThat(results.requests(arm)).as("requests").isBetween(93L, 97L);
      assertThat(results.failed(arm)).as("failed or timed out").isZero();
    }
    assertThat(out.resolve("report.html")).isNotEmptyFile();
    return results;
  }

  /** The nodes plan each request that was sent once, and no other client has requests. */
  private static boolean countersAreOfTheWindow(OwnResults results) {
    double sent = results.sent("manx");
    double planned = results.metric("manx", "manx_requests_planned");
    // A few requests are under way when the window begins; those of the warm-up are 75.
    return Math.abs(planned - sent) <= 5;
  }

  /** The markers have the names that Cassandra gives them. */
  @Test
  void statementsThatCannotBeFilledAreRefusedBeforeAnythingIsSwitched() throws Exception {
    String read = "SELECT * FROM shop.items WHERE place = 'here' AND id ";
    refused(read + "IN (?, ?, ?)", "several markers are for the column id");
    refused(read + "IN :ids", "the marker `ids` is not for a column of shop.items");
    refused(read + "IN :id", "the marker `id` takes list<int>, and the column has int");
    refused(read + "= ? LIMIT ?", "is not for a column of shop.items");
    refused(
        "UPDATE shop.items SET price = ? WHERE place = 'here' AND id IN ?",
        "the price of one row to several rows");
    refused(
        "UPDATE shop.items SET price = 5 WHERE id = 5 AND place = 'here'",
        "a write needs a marker for a column of its key");
    refused(
        "UPDATE shop.items SET price = :price WHERE id = :id AND place = :place",
        "a write with markers such as `:name`");
    refused(
        "UPDATE shop.items SET price = ? WHERE id = ? AND place = 'here'",
        "the price of one row to another: write a marker for place too");
  }

  private void refused(String cql, String why) throws Exception {
    Path file = ownExperiment("2s");
    String text = Files.readString(file);
    String item = "SELECT * FROM shop.items WHERE id = ? AND place = ?, weight: 2";
    assertThat(text).contains(item);
    Files.writeString(file, text.replace(item, '"' + cql + '"'));
    Path out = Files.createTempDirectory(folder, "out").resolve("results");
    Command run =
        Command.run("run", file.toString(), ON, "--switch-all", "--allow-writes", "--out=" + out);
    assertThat(run.code()).as(run.output()).isEqualTo(1);
    assertThat(run.output()).contains("statement item: ", why);
    assertThat(nodes.status("mode")).containsOnly("off");
  }

  @Test
  void anInterruptedRunPutsBackWhatWasThere() throws Exception {
    Path file = ownExperiment("60s");
    Command.run("ctl", "mode", "shadow", ON);
    Path output = folder.resolve("output");
    Process run =
        new ProcessBuilder(
                "env",
                "--default-signal=INT",
                ManxHome.find().root().resolve("manx").toString(),
                "run",
                file.toString(),
                ON,
                "--switch-all",
                "--out=" + folder.resolve("out"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      Waiting.until("an arm is switched", () -> !nodes.status("mode").contains("shadow"));
      new ProcessBuilder("kill", "-INT", Long.toString(run.pid())).start().waitFor();
      assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(run.exitValue()).as(Files.readString(output)).isEqualTo(130);
      assertThat(nodes.status("mode")).containsExactly("shadow", "shadow", "shadow");
    } finally {
      run.destroyForcibly();
    }
  }
}
