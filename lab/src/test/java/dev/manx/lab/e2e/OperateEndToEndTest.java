/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.lab.cli.Manx;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The operator commands, on nodes that all have the plugin. */
@SharedNodes
class OperateEndToEndTest {
  private static final String ON = "--on=127.0.0.11";

  @TempDir private Path folder;
  private ThreeNodes nodes;

  @BeforeEach
  void fixture(ThreeNodes fixture) {
    nodes = fixture;
  }

  @AfterEach
  void off() {
    nodes.set("record", "off");
    nodes.set("calm-after", "0s");
    nodes.set("canary", "100%");
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  @Test
  void aModeIsSetOnAllNodesOrOnOneAndReadBackFromEach() {
    Command shadow = Command.run("ctl", "mode", "shadow", ON);
    assertThat(shadow.code()).as(shadow.output()).isZero();
    assertThat(shadow.output())
        .containsPattern("127\\.0\\.0\\.13 +datacenter1 +off +shadow +as asked")
        .contains("mode shadow: as asked on all 3 nodes, read back from each.");
    assertThat(nodes.status("mode")).containsExactly("shadow", "shadow", "shadow");

    Command one = Command.run("ctl", "mode", "on", ON, "--nodes", "127.0.0.12");
    assertThat(one.code()).as(one.output()).isZero();
    assertThat(nodes.status("mode")).containsExactly("shadow", "on", "shadow");

    Command status = Command.run("ctl", "status", ON);
    assertThat(status.code()).isZero();
    assertThat(status.output())
        .containsPattern("127\\.0\\.0\\.12 +datacenter1 +on ")
        .contains("nodes differ in mode: shadow on 127.0.0.11, 127.0.0.13; on on 127.0.0.12");

    assertThat(Command.run("ctl", "mode", "off", ON).code()).isZero();
    assertThat(nodes.status("mode")).containsExactly("off", "off", "off");
  }

  @Test
  void aPresetAndAFileBecomeTheStrategyOfAllNodes() throws Exception {
    Command preset = Command.run("ctl", "strategy", "manx", ON);
    assertThat(preset.code()).as(preset.output()).isZero();
    assertThat(preset.output()).contains("stock", "manx", "as asked on all 3 nodes");
    assertThat(nodes.status("policy.order")).containsOnly("order.boost");
    Path file = folder.resolve("own.yaml");
    Files.writeString(file, "strategy: { select: select.lor }");
    Command own = Command.run("ctl", "strategy", file.toString(), ON);
    assertThat(own.code()).as(own.output()).isZero();
    assertThat(nodes.status("policy.select")).containsOnly("select.lor");
  }

  @Test
  void aStrategyThatNodesRefuseIsNamedOnEachAndTheOldOneStays() throws Exception {
    Path file = folder.resolve("patient.yaml");
    // Valid by its range, but longer than half of these nodes' read_request_timeout.
    Files.writeString(file, "strategy: { order: { policy: order.bottleneck, max-wait: 4s } }");
    Command refused = Command.run("ctl", "strategy", file.toString(), ON);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.output())
        .contains("REFUSED", "max-wait", "as asked on 0 of 3 nodes, NOT on 3");
    assertThat(nodes.status("policy.order")).containsOnly("order.fifo");
    Files.writeString(file, "strategy: { order: order.botleneck }");
    Command unknown = Command.run("ctl", "strategy", file.toString(), ON);
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.output()).contains("order.botleneck");
  }

  @Test
  void theLogAndTheCalmAreSet() {
    Command record = Command.run("ctl", "record", "5%", ON, "--nodes=127.0.0.13");
    assertThat(record.code()).as(record.output()).isZero();
    assertThat(nodes.status("record").get(2)).startsWith("on: ");
    assertThat(Command.run("ctl", "status", ON).output()).contains("127.0.0.13: decision log on: ");
    assertThat(Command.run("ctl", "record", "off", ON).code()).isZero();
    Command calm = Command.run("ctl", "calm-after", "3s", ON);
    assertThat(calm.code()).as(calm.output()).isZero();
    assertThat(nodes.status("calm-after")).containsOnly("3s");
  }

  @Test
  void aCanaryIsSetComparedAndEnded() {
    Command unknown = Command.run("ctl", "canary", "set", "50%", ON, "--tables=none.such");
    assertThat(unknown.code()).as(unknown.output()).isEqualTo(2);
    assertThat(unknown.output()).contains("none.such", "system_schema.tables");
    assertThat(nodes.status("canary")).containsOnly("1");
    modelledTable();
    Command set = Command.run("ctl", "canary", "set", "50%", ON, "--tables=canary.t");
    assertThat(set.code()).as(set.output()).isZero();
    assertThat(set.output())
        .containsPattern("none: all requests +50% of canary\\.t +as asked")
        .contains("as asked on all 3 nodes");
    assertThat(nodes.status("canary"))
        .containsOnly("{ keyspaces: [], tables: [canary.t], share: 0.5 }");
    Command.run("ctl", "strategy", "manx", ON);
    Command.run("ctl", "mode", "on", ON);
    assertThat(Command.run("ctl", "status", ON).output())
        .contains("canary: 50% of canary.t on all 3 nodes, since ", "nothing to compare yet");
    // Of so many some are taken and some are not, but for one run in a billion.
    for (int i = 0; i < 30; i++) {
      nodes
          .session()
          .driver()
          .execute("SELECT k FROM canary.t WHERE k IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)");
    }
    Command show = Command.run("ctl", "canary", "show", ON);
    assertThat(show.code()).isZero();
    assertThat(show.output())
        .containsPattern("127\\.0\\.0\\.12 +datacenter1 +on +50% of canary\\.t")
        .containsPattern("multigets of 6-20 keys: too few requests to say at P99")
        .contains("multigets of 6-20 keys of canary.t: ");
    Command end = Command.run("ctl", "canary", "end", ON);
    assertThat(end.code()).as(end.output()).isZero();
    assertThat(nodes.status("canary")).containsOnly("1");
    assertThat(Command.run("ctl", "status", ON).output()).doesNotContain("canary");
  }

  private void modelledTable() {
    var node = nodes.admin().nodes().get(0);
    nodes
        .admin()
        .execute(
            node,
            "CREATE KEYSPACE IF NOT EXISTS canary WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    nodes
        .admin()
        .execute(
            node,
            "CREATE TABLE IF NOT EXISTS canary.t (k int PRIMARY KEY) WITH memtable = 'modelled'");
  }

  /** As in {@code ./manx top | head -1}. */
  @Test
  @Timeout(60)
  void topEndsWhenItsReaderHasGone() {
    StringWriter first = new StringWriter();
    CommandLine line = Manx.commandLine();
    line.setOut(
        new PrintWriter(
            new FilterWriter(first) {
              @Override
              public void write(String text, int from, int length) throws IOException {
                if (first.getBuffer().length() > 0) {
                  throw new IOException("Broken pipe");
                }
                super.write(text, from, length);
              }
            },
            true));
    assertThat(line.execute("top", ON, "--interval=1s")).isZero();
    assertThat(first.toString()).contains("; strategy ", "127.0.0.13");
  }

  @Test
  void badUsageSaysWhatIsAllowedAndChangesNothing() {
    assertThat(Command.run("ctl", "mode", "sideways", ON).code()).isEqualTo(2);
    assertThat(Command.run("ctl", "record", "110%", ON).code()).isEqualTo(2);
    Command node = Command.run("ctl", "mode", "on", ON, "--nodes=127.0.0.9");
    assertThat(node.code()).isEqualTo(2);
    assertThat(node.output()).contains("127.0.0.9", "127.0.0.11, 127.0.0.12, 127.0.0.13");
    Command nowhere = Command.run("ctl", "status");
    assertThat(nowhere.code()).isEqualTo(2);
    assertThat(nowhere.output()).contains("--on is missing");
    assertThat(nodes.status("mode")).containsOnly("off");
  }

  @Test
  void unreachableNodesAreNamedInPlainWords() {
    Command port = Command.run("ctl", "status", "--on=127.0.0.11:9999");
    assertThat(port.code()).isEqualTo(1);
    assertThat(port.output()).contains("127.0.0.11:9999: nothing listens there");
    Command datacenter = Command.run("ctl", "status", ON, "--local-dc=dc7");
    assertThat(datacenter.code()).isEqualTo(1);
    assertThat(datacenter.output())
        .contains("the cluster has no datacenter 'dc7'; it has 'datacenter1' (3 nodes)");
    Command tls = Command.run("ctl", "status", ON, "--tls", "--timeout=5s");
    assertThat(tls.code()).isEqualTo(1);
    assertThat(tls.output()).contains("leave --tls out");
    for (Command each : List.of(port, datacenter, tls)) {
      assertThat(each.output()).doesNotContain("Exception");
    }
  }

  @Test
  void checkFindsWhereNodesDiffer() {
    Command.run("ctl", "strategy", "manx", ON);
    Command.run("ctl", "mode", "on", ON);
    Command well = Command.run("check", ON);
    assertThat(well.output())
        .contains("all 3 nodes: Cassandra 5.0", "all 3 nodes: Java 17", "mode on", "strategy manx")
        .contains("this user may switch Manx", "breaker closed")
        .doesNotContain("error  ");
    assertThat(well.code()).as(well.output()).isZero();
    Command.run("ctl", "mode", "shadow", ON, "--nodes=127.0.0.11");
    Command differ = Command.run("check", ON, "--strict");
    assertThat(differ.code()).isEqualTo(1);
    assertThat(differ.output())
        .contains("nodes differ in mode: shadow on 127.0.0.11; on on 127.0.0.12, 127.0.0.13");
  }

  @Test
  void topShowsWhatNodesDo() throws Exception {
    Command.run("ctl", "strategy", "manx", ON);
    Command.run("ctl", "mode", "on", ON);
    nodes
        .admin()
        .execute(
            nodes.admin().nodes().get(0),
            "CREATE KEYSPACE IF NOT EXISTS top WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    nodes
        .admin()
        .execute(
            nodes.admin().nodes().get(0),
            "CREATE TABLE IF NOT EXISTS top.t (k text PRIMARY KEY, v blob)");
    List<Long> faultsBefore = faults();
    JsonNode top;
    Thread load =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                nodes.session().driver().execute("SELECT k FROM top.t WHERE k IN ('a', 'b', 'c')");
              }
            });
    load.start();
    try {
      Command once = Command.run("top", ON, "--once", "--json", "--interval=3s");
      assertThat(once.code()).as(once.output()).isZero();
      top = new ObjectMapper().readTree(once.output());
    } finally {
      load.interrupt();
      load.join();
    }
    assertThat(top.get("nodes")).hasSize(3);
    double planned = 0;
    List<Long> faults = new ArrayList<>();
    for (JsonNode node : top.get("nodes")) {
      assertThat(node.get("mode").asText()).isEqualTo("on");
      assertThat(node.get("strategy").asText()).isEqualTo("manx");
      faults.add(node.get("faults").asLong());
      planned += node.get("requests_planned_per_s").asDouble();
    }
    assertThat(planned).isPositive();
    // Those of earlier tests, and none of this test.
    assertThat(faults).isEqualTo(faultsBefore);
    Command table = Command.run("top", ON, "--once", "--interval=1s", "--nodes=127.0.0.12");
    assertThat(table.output())
        .contains("planned/s", "strategy manx on 1 node")
        .containsPattern("127\\.0\\.0\\.12 +datacenter1 +on ");
  }

  private List<Long> faults() {
    return IntStream.range(0, 3)
        .mapToObj(node -> Long.parseLong(nodes.table(node, "manx.counters", "value").get("faults")))
        .toList();
  }
}
