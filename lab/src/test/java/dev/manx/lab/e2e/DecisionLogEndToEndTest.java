/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import dev.manx.local.cluster.ManxHome;
import dev.manx.simulator.replay.Replay;
import dev.manx.simulator.replay.WhatIf;
import dev.manx.workload.RequestClass;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions of real nodes under concurrent load are recorded, and reproduced by a replay. */
@SharedNodes
class DecisionLogEndToEndTest {
  private static final String ORACLES =
      """
        oracles:
          size: { policy: oracle.size-bloom, large-above: 32KiB }
          popularity: oracle.popularity-space-saving
        facts: [pending-reads, service-time, work-ahead]
      """;
  private static final int KEYS = 60;

  @TempDir Path folder;
  private ThreeNodes nodes;

  @BeforeEach
  void load(ThreeNodes fixture) {
    nodes = fixture;
    execute(
        "CREATE KEYSPACE IF NOT EXISTS log WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    execute(
        "CREATE TABLE IF NOT EXISTS log.t (k text PRIMARY KEY, v blob)"
            + " WITH memtable = 'modelled'");
    for (int key = 0; key < KEYS; key++) {
      nodes.write(
          "INSERT INTO log.t (k, v) VALUES (?, ?)", key(key), ByteBuffer.allocate(bytes(key)));
    }
  }

  @AfterEach
  void off() {
    nodes.set("record", "off");
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select.low, order: order.bottleneck,"
            + " fanout: { policy: fanout.brb-equalmax, longest-first: true }",
        "select.c3, order: order.lottery, fanout: fanout.tailx-slack",
        "{ policy: select.dynamic-snitch, badness: 0 }, order: order.slack-edf,"
            + " fanout: fanout.rein-sds",
        "select.popularity-aware, order: order.max-weighted-flow, fanout: fanout.none",
      })
  void aLogOfRealNodesIsDecidedTheSameAgain(String parts) throws Exception {
    List<Long> faults = faults();
    nodes.set("document", document(parts));
    nodes.set("mode", "on");
    nodes.set("record", "100%");
    work();
    nodes.set("record", "off");
    long dispatches = 0;
    for (int node = 0; node < 3; node++) {
      Path log = log(node);
      Replay.Result result = replayed(log);
      assertThat(result.differences()).isEmpty();
      assertThat(result.isEqual()).isTrue();
      assertThat(result.plans()).isGreaterThanOrEqualTo(100);
      assertThat(result.log().end()).startsWith("closed, ").endsWith(" 0 dropped");
      assertThat(counter(node, "record_failures")).isZero();
      dispatches += result.dispatches();
    }
    assertThat(faults()).isEqualTo(faults);
    assertThat(dispatches).isGreaterThan(20);
  }

  @Test
  void logsAreFetchedOverCql() throws Exception {
    nodes.set("document", document("select.primary, order: order.fifo, fanout: fanout.none"));
    nodes.set("mode", "shadow");
    nodes.set("record", "100%");
    Path to = folder.resolve("fetched");
    String[] fetch = {"ctl", "fetch-log", "--to=" + to, "--on=127.0.0.11"};
    Command tooEarly = Command.run(fetch);
    assertThat(tooEarly.code()).isEqualTo(1);
    assertThat(tooEarly.output())
        .contains("nothing was fetched", "127.0.0.13 is still recording", "./manx ctl record off");
    assertThat(to).doesNotExist();
    work();
    nodes.set("record", "off");
    for (int node = 0; node < 3; node++) {
      // What a node still writes would be missing in the fetched log.
      replayed(log(node));
    }
    Command fetched = Command.run(fetch);
    assertThat(fetched.code()).as(fetched.output()).isZero();
    for (int node = 0; node < 3; node++) {
      String name = ThreeNodes.address(node);
      assertThat(fetched.output()).containsPattern(name + ": .*iB in .*" + name + ".log");
      assertThat(to.resolve(name + ".log")).hasSameBinaryContentAs(log(node));
      assertThat(replayed(to.resolve(name + ".log")).log().end()).startsWith("closed, ");
    }
    for (String parts : List.of("", " WHERE part IN (0, 1)")) {
      assertThatThrownBy(() -> execute("SELECT * FROM manx.decision_log" + parts))
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("WHERE part = 0");
    }
  }

  @Test
  void aRecordingOfAWhileLeavesTheNodesAsTheyWere() throws Exception {
    Command notShadow = Command.run("advise", "--record=5s", "--on=127.0.0.11");
    assertThat(notShadow.code()).isEqualTo(1);
    assertThat(notShadow.output()).contains("is in mode off", "./manx ctl mode shadow");
    nodes.set("mode", "shadow");
    nodes.set("calm-after", "3s");
    Path to = folder.resolve("fetched");
    Command idle = Command.run("advise", "--record=5s", "--logs=" + to, "--on=127.0.0.11");
    assertThat(idle.code()).as(idle.output()).isEqualTo(2);
    assertThat(idle.output()).contains("0 plans, 0 ends", "under load");
    assertThat(to.resolve("127.0.0.12.log")).isNotEmptyFile();
    for (int node = 0; node < 3; node++) {
      assertThat(nodes.table(node, "manx.strategy", "value"))
          .containsEntry("calm-after", "3s")
          .hasEntrySatisfying("record", row -> assertThat(row).startsWith("off: "));
    }
    nodes.set("calm-after", "0s");
    Command both = Command.run("advise", "some.log", "--on=127.0.0.11");
    assertThat(both.code()).isEqualTo(2);
    assertThat(both.output()).contains("give --on CLUSTER or the logs of all nodes, not both");
    Command none = Command.run("advise", "some.log", "--record=5s");
    assertThat(none.output()).contains("manx: --record needs --on\n");
  }

  @Test
  void theCommandReplaysItAndAsksAnotherStrategy() throws Exception {
    nodes.set("document", document("select.primary, order: order.fifo, fanout: fanout.none"));
    nodes.set("mode", "shadow");
    nodes.set("record", "100%");
    assertThat(nodes.table(0, "manx.strategy", "value").get("record")).startsWith("on: ");
    work();
    nodes.set("record", "off");
    Path log = log(0);
    replayed(log);
    assertThat(manx(0, "replay", log.toString()))
        .contains(
            "decision log of 127.0.0.11", "100.0% of the decisions", "decided the same again");
    Path other = folder.resolve("other.yaml");
    Files.writeString(other, document("select.low, order: order.bottleneck, fanout: fanout.none"));
    assertThat(manx(0, "replay", log.toString(), "--strategy", other.toString()))
        .contains("class", "elsewhere", "all", "single", "wide", "dispatches: another read first");
    WhatIf.Changed all =
        WhatIf.of(log.toString(), bytes(log), "other", Files.readString(other), 9, progress -> {})
            .classes()
            .get(RequestClass.ALL);
    assertThat(all.changedReads()).isBetween(1L, all.reads() - 1);

    Path tampered = folder.resolve("tampered");
    Files.writeString(tampered, Files.readString(log).replaceFirst("(\nP .*?) o=", "$1 o=9"));
    assertThat(manx(1, "replay", tampered.toString())).contains("1 lines are damaged");
    assertThat(manx(2, "replay", folder.resolve("none").toString()))
        .contains("a decision log of a node");
    assertThat(manx(2, "replay", other.toString())).contains("a decision log of Manx");
  }

  @Test
  void aSampleIsASampleAndOtherSwitchesAreRefused() throws Exception {
    nodes.set("document", document("select.low, order: order.fifo, fanout: fanout.none"));
    nodes.set("mode", "on");
    nodes.set("record", "20%");
    long before = counter(0, "requests_planned");
    // Of so many requests a sample differs so much from its share less than once in a million runs.
    work();
    work();
    nodes.set("record", "off");
    long planned = counter(0, "requests_planned") - before;
    assertThat(replayed(log(0)).plans()).isBetween(planned / 20, planned / 2);
    assertThatThrownBy(() -> nodes.set("record", "loudly"))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("off, on, a share");
  }

  private static String document(String select) {
    String[] parts = select.split(", (?=order|fanout)", -1);
    return "strategy:\n  select: %s\n  %s\n  %s\n%s"
        .formatted(parts[0], parts[1], parts[2], ORACLES);
  }

  /** Multigets of several widths on all nodes, many at a time and without paging. */
  private void work() {
    DriverExecutionProfile unpaged =
        nodes
            .session()
            .driver()
            .getContext()
            .getConfig()
            .getDefaultProfile()
            .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, -1);
    SplittableRandom random = new SplittableRandom(1);
    for (int wave = 0; wave < 20; wave++) {
      List<CompletableFuture<AsyncResultSet>> answers = new ArrayList<>();
      for (int i = 0; i < 15; i++) {
        int width = random.nextInt(4) == 0 ? random.nextInt(10, 20) : random.nextInt(1, 5);
        int first = random.nextInt(KEYS - width);
        StringBuilder keys = new StringBuilder();
        for (int key = first; key < first + width; key++) {
          keys.append(key == first ? "'" : ", '").append(key(key)).append('\'');
        }
        SimpleStatement read =
            SimpleStatement.newInstance("SELECT k, v FROM log.t WHERE k IN (" + keys + ")")
                .setNode(node(i % 3))
                .setExecutionProfile(unpaged);
        answers.add(nodes.session().driver().executeAsync(read).toCompletableFuture());
      }
      answers.forEach(CompletableFuture::join);
    }
  }

  private Path log(int node) {
    return nodes.cluster().nodes().get(node).folder().resolve("logs/manx-decisions.log");
  }

  private static ByteBuffer bytes(Path log) throws Exception {
    return ByteBuffer.wrap(Files.readAllBytes(log));
  }

  /** Replays a log once the node has closed it. */
  private static Replay.Result replayed(Path log) throws Exception {
    long deadline = System.nanoTime() + 60_000_000_000L;
    Replay.Result result = Replay.of(log.toString(), bytes(log));
    while (result.log().end().isEmpty()) {
      assertThat(System.nanoTime() - deadline).as("waiting for the end of " + log).isNegative();
      Thread.sleep(50);
      result = Replay.of(log.toString(), bytes(log));
    }
    return result;
  }

  private String manx(int code, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(ManxHome.find().root().resolve("manx").toString()));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isEqualTo(code);
    return Files.readString(output);
  }

  private static String key(int key) {
    return bytes(key) + "_" + key;
  }

  private static int bytes(int key) {
    return key % 10 == 0 ? 65_536 : 1_024;
  }

  private Node node(int index) {
    return nodes.admin().nodes().get(index);
  }

  private void execute(String statement, Object... values) {
    nodes.admin().execute(node(0), statement, values);
  }

  private List<Long> faults() {
    return IntStream.range(0, 3).mapToObj(node -> counter(node, "faults")).toList();
  }

  private long counter(int node, String name) {
    return Long.parseLong(nodes.table(node, "manx.counters", "value").get(name));
  }
}
